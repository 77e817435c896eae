#!/usr/bin/env bash
# Installs what is needed, builds the release preset and runs all tests.
# Usage: tools/test.sh [CTEST ARGUMENTS...]
set -euo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh
tools/build.sh release
exec ctest --preset release --output-on-failure "$@"
