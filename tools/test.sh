#!/usr/bin/env bash
# Installs what is needed, builds and runs tests of the release preset: those without the label
# `long`, with half of the random programs, or with `all` everything; or, with `aarch64`, the short
# set of a cross build under qemu.
# Usage: tools/test.sh [all | aarch64] [CTEST ARGUMENTS...]
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = aarch64 ]; then
    shift
    tools/dev/setup.sh --aarch64
    tools/dev/build.sh aarch64 --target emulated
    exec ctest --preset aarch64 "$@"
fi
if [ "${1:-}" = all ]; then
    shift
    chosen=()
else
    chosen=(--label-exclude long)
    export VALKYR_JIT_ROUNDS=${VALKYR_JIT_ROUNDS:-1/2}
fi
tools/dev/setup.sh
tools/dev/build.sh release
exec ctest --preset release --output-on-failure --parallel "$(nproc)" "${chosen[@]}" "$@"
