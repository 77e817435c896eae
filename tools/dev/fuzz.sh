#!/usr/bin/env bash
# Installs Clang, builds the libFuzzer targets and runs each for some seconds from its seed corpus.
# Usage: tools/dev/fuzz.sh [SECONDS EACH, 20] [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-20}
shift || true
if ! [[ $seconds =~ ^[0-9]+$ ]]; then
    echo "usage: tools/dev/fuzz.sh [SECONDS EACH] [TARGET...]" >&2
    exit 2
fi
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(sed -n 's/^VALKYR_FUZZ_TARGET(\(.*\))$/\1/p' tests/fuzz/targets.inc)
tools/dev/setup.sh --clang
tools/dev/build.sh fuzz --target "${targets[@]/#/fuzz_}"

# Inputs that libFuzzer finds on the way go to a folder of their own: the seeds stay small and chosen.
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
for target in "${targets[@]}"; do
    mkdir "$found/$target"
    if ! build/fuzz/bin/fuzz_"$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/$target-" "$found/$target" "tests/fuzz/corpus-$target" >"$found/log" 2>&1; then
        tail -n 60 "$found/log" >&2
        echo "tools/dev/fuzz.sh: $target failed; the input is in build/fuzz/" >&2
        exit 1
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$found/log")
    echo "fuzz_$target: $runs inputs in $seconds s, no failure"
done
