#!/usr/bin/env bash
# Client: builds Mesa's client with virpipe from Debian's source package, corrected, and packs it as valkyr-client.
# SPDX-License-Identifier: MIT
#
# usage: tools/packaging/client.sh FOLDER     the .deb goes there
#
# GLX, EGL, gbm and the Gallium library with softpipe and virgl, without LLVM, in a folder of their
# own, so that they are used by `valkyr run` alone. apt reads the source package of this system's
# release with settings of its own; the system's lists of packages stay as they are.
set -euo pipefail
step=
[ "${1:-}" != --step ] || { step=$2; shift 2; }  # this script calls itself for each step
[ $# -eq 1 ] || { echo "usage: tools/packaging/client.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tools/dev/progress.sh"
work=$root/build/client
client=/usr/lib/valkyr-client
mkdir -p "$work/lists/partial" "$work/cache/archives/partial"

fail() {
    echo "tools/packaging/client.sh: $1" >&2
    [ -z "${2:-}" ] || tail -n 20 "$2" >&2
    exit 1
}

# The site and suite that this system's packages of Mesa come from.
fetch_source() {
    local site suite
    # Not the codename of os-release: that of unstable is the next release's.
    read -r site suite < <(apt-get indextargets --format '$(SITE) $(CODENAME)' 'Identifier: Packages' |
                           grep -v -e security -e -updates) || fail "apt knows no site of packages"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site $suite main" >"$work/sources.list"
    local apt=(apt-get -q -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=-
               -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
    cd "$work"
    rm -rf mesa-*/
    "${apt[@]}" update && "${apt[@]}" source mesa
}

# Mesa 22.3 reads the index of an array where the element is read or written, not where the
# program computes it: a counter that doubles as its next value has been changed by then. The pass
# that makes registers of arrays must come before the one that lets values share registers.
correct() {
    local file
    file=$(echo "$work"/mesa-*/src/gallium/auxiliary/nir/nir_to_tgsi.c)
    local arrays='NIR_PASS_V(s, nir_lower_locals_to_regs);' shared='NIR_PASS_V(s, nir_convert_from_ssa, true);'
    if grep -qF "$arrays" "$file"; then
        sed -i -e "/^ *$arrays\$/d" -e "s/^ *$shared\$/   $arrays\n&/" "$file"
        grep -FB1 "$shared" "$file" | grep -qF "$arrays"
    fi
}

# Options that one version of Mesa has and another has not.
optional_settings() {
    local name
    for name in gallium-vdpau gallium-va gallium-xa gallium-omx gallium-nine; do
        grep -q "'$name'" meson_options.txt meson.options 2>/dev/null && echo "-D$name=$(off "$name")"
    done
    grep -q "'osmesa'" meson_options.txt meson.options 2>/dev/null && echo -Dosmesa=false
    grep -q "'dri3'" meson_options.txt meson.options 2>/dev/null && echo -Ddri3=enabled
    return 0
}
off() { [ "$1" = gallium-nine ] && echo false || echo disabled; }

build() {
    cd "$work"/mesa-*/
    local drivers=swrast,virgl
    grep -q "'softpipe'" meson_options.txt meson.options 2>/dev/null && drivers=softpipe,virgl
    local loader='-Wl,-rpath,$ORIGIN:$ORIGIN/..'
    local settings=(--prefix=/usr "--libdir=${client#/usr/}" --buildtype=release -Db_ndebug=true
                    -Dplatforms=x11,wayland "-Dgallium-drivers=$drivers" -Dvulkan-drivers= -Dllvm=disabled
                    -Dglvnd=$(grep -A3 "'glvnd'" meson_options.txt meson.options 2>/dev/null | grep -q feature &&
                              echo enabled || echo true)
                    -Dgles1=disabled -Dgles2=enabled -Degl=enabled -Dgbm=enabled -Dglx=dri
                    -Dbuild-tests=false -Dvalgrind=disabled -Dlibunwind=disabled -Dlmsensors=disabled -Dvideo-codecs=
                    "-Ddri-drivers-path=$client/dri" "-Dc_link_args=$loader" "-Dcpp_link_args=$loader")
    mapfile -t optional < <(optional_settings)
    # Mesa's generators need the system's Python, for which its modules are installed.
    export PATH=/usr/bin:/bin:/usr/sbin:/sbin
    rm -rf "$work/build" "$work/stage"
    meson setup "$work/build" "${settings[@]}" "${optional[@]}" && ninja -C "$work/build" &&
        DESTDIR="$work/stage" meson install -C "$work/build" --no-rebuild
}

# Keeps what programs load, and drops headers, links for compilers and other drivers' names.
collect() {
    local from=$work/stage$client to=$work/package$client file
    rm -rf "$work/package"
    mkdir -p "$to/dri" "$work/package/usr/share/doc/valkyr-client" "$work/package/DEBIAN"
    for file in "$from"/lib{GLX_mesa,EGL_mesa,glapi,gbm}.so.[0-9] "$from"/libgallium-*.so; do
        [ ! -e "$file" ] || cp -L "$file" "$to/"
    done
    for file in "$from"/dri/{swrast_dri,libdril_dri}.so; do
        [ ! -e "$file" ] || cp -L "$file" "$to/dri/"
    done
    # libOSMesa, which cannot set the loader's path, is led here by this file.
    echo "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"$client/libEGL_mesa.so.0\"}}" \
        >"$to/egl_vendor.json"
    [ ! -d "$from/gbm" ] || cp -rL "$from/gbm" "$to/"
    find "$to" -name '*.so*' -exec strip --strip-unneeded {} +
    cp "$work"/mesa-*/debian/copyright "$work/package/usr/share/doc/valkyr-client/"
}

pack() {
    local version depends architecture
    version=$(cd "$work"/mesa-*/ && dpkg-parsechangelog -S Version)
    architecture=$(dpkg --print-architecture)
    mkdir -p "$work/shlibs/debian"
    echo "Source: valkyr-client" >"$work/shlibs/debian/control"
    mapfile -t files < <(find "$work/package$client" -name '*.so*')
    depends=$(cd "$work/shlibs" && dpkg-shlibdeps -O "-l$work/package$client" "${files[@]}" 2>"$work/shlibs.log" |
              sed 's/^shlibs:Depends=//; s/\(^\|, \)\(libglapi-mesa\|libgbm1\|mesa-libgallium\)[^,]*//g; s/^, //')
    cat >"$work/package/DEBIAN/control" <<EOF
Package: valkyr-client
Version: $version
Architecture: $architecture
Maintainer: The Valkyr authors <valkyr@localhost>
Section: graphics
Depends: $depends, libgl1, libegl1
Enhances: valkyr
Description: software GPU: client of OpenGL programs
 Mesa's GLX, EGL and gbm with the driver virpipe alone. Programs that run on Valkyr use them instead of
 the system's, which need not have virpipe.
EOF
    dpkg-deb --root-owner-group --build "$work/package" "$out/valkyr-client_${version}_$architecture.deb"
}

if [ -n "$step" ]; then
    "$step"
    exit
fi
"$root/tools/dev/setup.sh" --package --client
steps=(fetch_source correct build collect pack)
for number in "${!steps[@]}"; do
    step=${steps[number]}
    progress_during "$number" ${#steps[@]} "valkyr-client: $step" "$work/$step.log" \
        bash "$root/tools/packaging/client.sh" --step "$step" "$out" || fail "$step failed" "$work/$step.log"
done
ls "$out"/valkyr-client_*.deb
