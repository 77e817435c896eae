#!/usr/bin/env bash
# Installs what is needed, builds and runs tests: all of the release preset or, with `aarch64`, the
# short set of a cross build under qemu.
# Usage: tools/test.sh [aarch64] [CTEST ARGUMENTS...]
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = aarch64 ]; then
    shift
    tools/dev/setup.sh --aarch64
    tools/dev/build.sh aarch64 --target emulated
    exec ctest --preset aarch64 "$@"
fi
tools/dev/setup.sh
tools/dev/build.sh release
exec ctest --preset release --output-on-failure --parallel "$(nproc)" "$@"
