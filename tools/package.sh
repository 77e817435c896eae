#!/usr/bin/env bash
# Package: makes the files of a release in build/package/out: Debian packages, an archive of the
# installed files, one of the sources, and their checksums. Usage: tools/package.sh [--client]
# --client: also valkyr-client, Mesa's client with virpipe, which is built from Debian's source package.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/dev/progress.sh
client=
[ "${1:-}" != --client ] || { client=1; shift; }
[ $# -eq 0 ] || { echo "usage: tools/package.sh [--client]" >&2; exit 2; }

tools/dev/setup.sh --package
tools/dev/build.sh package
out=build/package/out
rm -rf "$out"
mkdir -p "$out"
generators=(DEB TGZ)
for number in "${!generators[@]}"; do
    generator=${generators[number]}
    progress_during "$number" ${#generators[@]} "packing $generator" "$out/cpack.log" \
        cpack --config build/package/CPackConfig.cmake -G "$generator" -B "$out/work" ||
        { cat "$out/cpack.log" >&2; echo "tools/package.sh: cpack failed" >&2; exit 1; }
done
mv "$out"/work/*.deb "$out"/work/*.tar.gz "$out"
rm -rf "$out/work" "$out/cpack.log"
version=$(sed -n 's/^project(valkyr VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
if git rev-parse --git-dir >/dev/null 2>&1; then
    git archive --format=tar.gz --prefix="valkyr-$version/" -o "$out/valkyr-$version-source.tar.gz" HEAD
fi
[ -z "$client" ] || tools/packaging/client.sh "$out"
(cd "$out" && sha256sum -- * >SHA256SUMS)
echo "In $out:"
ls -1 "$out"
