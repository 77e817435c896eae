#!/usr/bin/env bash
# Soak: builds, then attacks a running server in rounds for some minutes; exit code 1 at a finding.
# Usage: tools/soak.sh MINUTES [--seed N] [--first N] [--rounds N] [--all] [--without LAUNCH]
# docs/guide/soak.md says what a round is and how to repeat one.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! [[ ${1:-} =~ ^[0-9]+$ ]]; then
    sed -n '3s/^# //p' "$0" >&2
    exit 2
fi
tools/dev/setup.sh
tools/dev/build.sh release --target valkyr
exec python3 tools/soak/soak.py "$@"
