#!/usr/bin/env bash
# Configures and builds one preset, quietly: progress on a terminal, the log only if it fails.
# Usage: tools/dev/build.sh [PRESET] [CMAKE BUILD ARGUMENTS...]
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/dev/progress.sh
preset=${1:-release}
shift || true
# A compiler cache, if the machine has one: it serves every checkout of the same files.
if [ -z "${CMAKE_CXX_COMPILER_LAUNCHER:-}" ] && command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "Building ($preset) ..."
configure_and_build() {
    cmake --preset "$preset" && NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset" "$@"
}
if ! configure_and_build "$@" 2>&1 | progress_of_ninja "$preset" >"$log"; then
    cat "$log" >&2
    echo "tools/dev/build.sh: the $preset build failed" >&2
    exit 1
fi
