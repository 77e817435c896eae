#!/usr/bin/env bash
# Installs Clang, builds the libFuzzer targets and runs each for some seconds from its corpus.
# Usage: tools/dev/fuzz.sh [SECONDS EACH, 20] [TARGET...]
#        tools/dev/fuzz.sh --minimise [TARGET...]
# Inputs that a run finds stay in build/fuzz/found-TARGET, and the next run goes on from them.
# --minimise adds those that reach something new to tests/fuzz/corpus-TARGET, the smallest of them.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/dev/progress.sh
most_files=300
most_bytes=$((1 << 20))
seconds=20
minimise=
if [ "${1:-}" = --minimise ]; then
    minimise=1
    shift
elif [ $# -gt 0 ]; then
    seconds=$1
    shift
fi
mapfile -t all < <(sed -n 's/^VALKYR_FUZZ_TARGET(\(.*\))$/\1/p' tests/fuzz/targets.inc)
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=("${all[@]}")
for target in "${targets[@]}"; do
    if ! [[ $seconds =~ ^[0-9]+$ && " ${all[*]} " == *" $target "* ]]; then
        sed -n '3,4s/^# //p' "$0" >&2
        echo "targets: ${all[*]}" >&2
        exit 2
    fi
done
tools/dev/setup.sh --clang
tools/dev/build.sh fuzz --target "${targets[@]/#/fuzz_}"
log=$(mktemp)
work=$(mktemp -d)
trap 'rm -rf "$log" "$work"' EXIT

# Edges that the last run reached, from libFuzzer's statistics.
coverage() {
    sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1
}

# Runs a fuzzer as part $1 of all, its output in the log.
run_fuzzer() {
    local number=$1 target=$2
    shift 2
    progress_during "$number" ${#targets[@]} "fuzz_$target" "$log" \
        "build/fuzz/bin/fuzz_$target" -timeout=10 -rss_limit_mb=2048 "$@"
}

run_target() {
    local target=$2 dictionary=()
    [ ! -f "tests/fuzz/$target.dict" ] || dictionary=("-dict=tests/fuzz/$target.dict")
    mkdir -p "build/fuzz/found-$target"
    if ! run_fuzzer "$1" "$target" -max_total_time="$seconds" -print_final_stats=1 "${dictionary[@]}" \
        -artifact_prefix="build/fuzz/$target-" "build/fuzz/found-$target" "tests/fuzz/corpus-$target"; then
        tail -n 60 "$log" >&2
        echo "tools/dev/fuzz.sh: $target failed; the input is in build/fuzz/" >&2
        exit 1
    fi
    local runs
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "fuzz_$target: $runs inputs in $seconds s, $(coverage) edges, no failure"
}

# Inputs with names given by hand stay; inputs with names of libFuzzer (40 digits) are chosen anew.
minimise_target() {
    local target=$2 corpus="tests/fuzz/corpus-$2" kept="$work/$2" file
    local chosen=(-regextype posix-extended -regex '.*/[0-9a-f]{40}') found="build/fuzz/found-$2"
    mkdir -p "$kept" "$found"
    find "$corpus" -type f -not \( "${chosen[@]}" \) -exec cp -t "$kept" {} +
    run_fuzzer "$1" "$target" -set_cover_merge=1 -use_counters=0 "$kept" "$corpus" "$found" ||
        { tail -n 40 "$log" >&2; exit 1; }
    find "$corpus" -type f "${chosen[@]}" -delete
    # The smallest first, as many as the repository should hold.
    local files bytes size
    read -r files bytes < <(find "$corpus" -type f -printf '%s\n' | awk '{ bytes += $1 } END { print NR, bytes + 0 }')
    while read -r size file; do
        if ((files >= most_files || bytes + size > most_bytes)); then
            break
        fi
        cp "$file" "$corpus/"
        files=$((files + 1))
        bytes=$((bytes + size))
    done < <(find "$kept" -type f "${chosen[@]}" -printf '%s %p\n' | sort -n)
    echo "corpus-$target: $files inputs, $bytes bytes"
}

for number in "${!targets[@]}"; do
    if [ -n "$minimise" ]; then
        minimise_target "$number" "${targets[number]}"
    else
        run_target "$number" "${targets[number]}"
    fi
done
