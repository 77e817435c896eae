#!/usr/bin/env bash
# Installs what is needed, builds and runs tests of the release preset: those without the label
# `long`, or with `all` those, too; or, with `aarch64`, the short set of a cross build under qemu.
# Usage: tools/test.sh [all | aarch64] [CTEST ARGUMENTS...]
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = aarch64 ]; then
    shift
    tools/dev/setup.sh --aarch64
    tools/dev/build.sh aarch64 --target emulated
    exec ctest --preset aarch64 "$@"
fi
chosen=(--label-exclude long)
if [ "${1:-}" = all ]; then
    shift
    chosen=()
fi
tools/dev/setup.sh
tools/dev/build.sh release
exec ctest --preset release --output-on-failure --parallel "$(nproc)" "${chosen[@]}" "$@"
