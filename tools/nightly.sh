#!/usr/bin/env bash
# Nightly: runs the checks that take too long for every change, one after another; hours in all.
# Usage: tools/nightly.sh [BUILD DIRECTORY] [NAME...]     default: all, in a release build of its own
#        tools/nightly.sh --list                          the names and the command of each
# On a terminal, what a row prints goes to build/nightly/NAME.log, and its end is shown if the row fails.
# VALKYR_RANDOM_SEED, VALKYR_FUZZ_FIRST: other first seeds than the tests' own.
set -uo pipefail
cd "$(dirname "$0")/.."
. tools/dev/progress.sh
build=

# name; how it runs; the rest is the command, or test executable, filter and what makes it long
table='
compiler     test  test_compiler      -tc=random*               VALKYR_RANDOM_ROUNDS=50
groups       test  test_compiler      -tc=random*groups*        VALKYR_RANDOM_ROUNDS=500
doubles      test  test_compiler      -tc=*double*              VALKYR_DOUBLE_ROUNDS=50
encodings    test  test_valhall_isa   -tc=*random*              VALKYR_TEST_SCALE=20
functions    test  test_valhall_exec  -tc=*                     VALKYR_EXHAUSTIVE=1
jit          test  test_jit           -tc=*                     VALKYR_JIT_ROUNDS=10
exactness    test  test_jit           -tc=*random*programs*     VALKYR_JIT_ROUNDS=320
fragments    test  test_jit_fragment  -tc=*                     VALKYR_JIT_ROUNDS=10
messages     test  test_jit_messages  -tc=*                     VALKYR_JIT_ROUNDS=10
state        test  test_raster_record -tc=random*               VALKYR_FUZZ_SEEDS=1000
memory       test  test_memory        -tc=*                     VALKYR_MEMORY_STRIDE=1
asan         run   tools/dev/build.sh asan && ctest --preset asan
tsan         run   tools/dev/build.sh tsan && ctest --preset tsan
debug        run   tools/dev/build.sh debug && ctest --preset debug
clang        run   tools/dev/setup.sh --clang && tools/dev/build.sh clang && ctest --preset clang
tidy         run   tools/dev/setup.sh --clang && tools/dev/build.sh release && tools/dev/clang_check.py tidy
fuzz         run   tools/dev/fuzz.sh 600
fresh        run   cmake --preset release -B build/fresh -DVALKYR_PRECOMPILE=ON -DCMAKE_CXX_COMPILER_LAUNCHER= && cmake --build build/fresh
soak         run   tools/soak.sh 60
aarch64-all  run   tools/dev/setup.sh --aarch64 && tools/dev/build.sh aarch64 && ctest --preset aarch64-all
same_bits    run   tools/same_bits.sh
'
usage() {
    sed -n '3,4s/^# //p' "$0" >&2
    exit 2
}

# Runs one row; its exit code is the row's.
run_row() {
    local kind=$1 command=$2
    if [ "$kind" = run ]; then
        bash -c "$command"
        return
    fi
    if [ -z "$build" ]; then
        tools/dev/setup.sh && tools/dev/build.sh release || return
        build=build/release
    fi
    local test cases setting
    read -r test cases setting <<<"$command"
    env "$setting" "$build/bin/$test" "$cases"
}

# Runs a row as part $1 of $2; on a terminal, with a line of progress instead of the output.
show_row() {
    local done=$1 all=$2 name=$3
    shift 3
    if ! progress_on_terminal; then
        run_row "$@"
        return
    fi
    local log=build/nightly/$name.log
    mkdir -p build/nightly
    progress_during "$done" "$all" "$name" "$log" run_row "$@" && return
    tail -n 40 "$log" >&2
    return 1
}

if [ -d "${1:-}" ]; then
    build=$1
    shift
fi
chosen=()
while [ $# -gt 0 ]; do
    case $1 in
    --list) sed '/^$/d' <<<"$table"; exit 0 ;;
    -*) usage ;;
    *)
        grep -q "^$1 " <<<"$table" || usage
        chosen+=("$1")
        ;;
    esac
    shift
done

mapfile -t rows < <(while read -r name rest; do
    if [ -n "$name" ] && [[ ${#chosen[@]} -eq 0 || " ${chosen[*]} " == *" $name "* ]]; then
        echo "$name $rest"
    fi
done <<<"$table")
failed=()
for number in "${!rows[@]}"; do
    read -r name kind command <<<"${rows[number]}"
    start=$SECONDS
    echo "== $name: $command"
    show_row "$number" ${#rows[@]} "$name" "$kind" "$command" </dev/null || failed+=("$name")
    echo "== $name: $((SECONDS - start)) s"
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "tools/nightly.sh: failed: ${failed[*]}" >&2
    exit 1
fi
