#!/usr/bin/env bash
# Same bits: hashes all that Valkyr draws by builds of GCC, Clang and for AArch64; prints one table.
# Usage: tools/same_bits.sh [gcc | clang | aarch64]... [-- FILTER...]
# The default is all builds and all works; demos and benchmark scenes on the interpreter take
# longest. FILTER is one of `valkyr conform --hashes`, as 'scene/*'.
# A hash that differs from docs/results/same_bits.txt, and so from that of another row, is named
# below the table, and the exit code is 1. The AArch64 build runs under qemu-user, with recompiled
# code alone: the interpreter takes too long there.
set -uo pipefail
cd "$(dirname "$0")/.."

# name; option of setup.sh or -; preset; command that runs programs or -; engines and hosts
table='
gcc      -                release        -             --engine valhall,jit --host avx2,avx512
clang    --clang          clang          -             --engine valhall,jit --host avx2,avx512
aarch64  --aarch64-tools  aarch64-tools  qemu-aarch64  --engine jit --host neon
'
names=$(awk '{ print $1 }' <<<"$table")
usage() {
    sed -n '3s/^# //p' "$0" >&2
    exit 2
}

# Builds `valkyr` of one row and writes what it says of the hashes to file $1.
hash_build() {
    local report=$1 setup=$2 preset=$3 runner=$4
    shift 4
    local options=() run=() trace traces=()
    [ "$setup" = - ] || options=("$setup")
    [ "$runner" = - ] || run=("$runner")
    tools/dev/setup.sh "${options[@]}" && tools/dev/build.sh "$preset" --target valkyr || return
    for trace in tests/*/*.trace; do
        traces+=(--hash-trace "$trace")
    done
    "${run[@]}" "build/$preset/bin/valkyr" conform --hashes "${filters[@]}" "$@" --threads 1,2 \
        "${traces[@]}" >"$report"
}

# The table of a report for reading beside others: heading (of the first report), rows with the name
# of the build, and the recorded hashes (of the last).
print_rows() {
    local report=$1 name=$2 first=$3 last=$4
    awk -v name="$name" -v first="$first" -v last="$last" '
        NR == 1 { if (first) printf "%-8s %s\n", "", $0; next }
        /^recorded / { if (last) printf "%-8s %s\n", "", $0; exit }
        { printf "%-8s %s\n", name, $0 }' "$report"
}

chosen=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    chosen+=("$1")
    shift
done
filters=("${@:2}")
[ ${#chosen[@]} -gt 0 ] || mapfile -t chosen < <(grep . <<<"$names")
for name in "${chosen[@]}"; do
    grep -qx -- "$name" <<<"$names" || usage
done

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
result=0
for name in "${chosen[@]}"; do
    read -r _ setup preset runner arguments < <(awk -v name="$name" '$1 == name' <<<"$table")
    # shellcheck disable=SC2086 # the arguments are words
    hash_build "$reports/$name" "$setup" "$preset" "$runner" $arguments || result=1
    if ! grep -qs '^recorded ' "$reports/$name"; then
        echo "tools/same_bits.sh: $name gave no hashes" >&2
        exit 1
    fi
done
for name in "${chosen[@]}"; do
    first=
    last=
    [ "$name" != "${chosen[0]}" ] || first=1
    [ "$name" != "${chosen[-1]}" ] || last=1
    print_rows "$reports/$name" "$name" "$first" "$last"
done
for name in "${chosen[@]}"; do
    sed -n "1,/^recorded /d; s/^/$name: /p" "$reports/$name"
done
exit $result
