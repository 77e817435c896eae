#!/usr/bin/env bash
# Setup: installs the Debian packages that Valkyr is built with. Does nothing if all are installed.
# Usage: tools/dev/setup.sh [--clang] [--aarch64] [--aarch64-tools] [--package] [--client]
set -euo pipefail

packages=(g++ cmake make ninja-build pkg-config python3 libasmjit-dev libsdl2-dev libstb-dev libqoi-dev doctest-dev
          libcli11-dev libfmt-dev libbenchmark-dev libimgui-dev libedit-dev libseccomp-dev libtinyobjloader-dev
          libtinygltf-dev)
foreign=
for option in "$@"; do
    case $option in
    --clang) packages+=(clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14) ;;
    --package) packages+=(dpkg-dev file) ;;
    --client)
        packages+=(meson bison flex python3-mako python3-yaml libdrm-dev libx11-dev libxext-dev libxfixes-dev
                   libx11-xcb-dev libxcb-{glx0,shm0,dri2-0,dri3,present,sync,randr0,xfixes0}-dev libxshmfence-dev
                   libxxf86vm-dev libxrandr-dev libglvnd-dev libexpat1-dev zlib1g-dev libzstd-dev libwayland-dev
                   libwayland-egl-backend-dev wayland-protocols glslang-tools)
        ;;
    --aarch64 | --aarch64-tools)
        foreign=arm64
        packages+=(g++-aarch64-linux-gnu qemu-user libasmjit-dev:arm64)
        [ "$option" = --aarch64 ] ||
            packages+=(lib{fmt,sdl2,imgui,edit,seccomp,tinyobjloader,tinygltf,benchmark}-dev:arm64)
        ;;
    *) echo "usage: tools/dev/setup.sh [--clang] [--aarch64] [--aarch64-tools] [--package] [--client]" >&2; exit 2 ;;
    esac
done

missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

sudo=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "tools/dev/setup.sh: run as root to install: ${missing[*]}" >&2; exit 1; }
    sudo=sudo
fi
echo "Installing ${missing[*]} ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if [ -n "$foreign" ]; then
    dpkg --print-foreign-architectures | grep -qx "$foreign" || $sudo dpkg --add-architecture "$foreign"
fi
if ! { $sudo apt-get update -q && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    echo "tools/dev/setup.sh: installation failed" >&2
    exit 1
fi
