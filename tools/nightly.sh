#!/usr/bin/env bash
# The long versions of all tests with random or exhaustive inputs, one after another: about 100,000
# compiled shaders, more than a million warps of random machine programs on every host level
# (`exactness` prints how many), and ten to fifty times the usual rounds elsewhere. Takes an hour and
# more.
# Usage: tools/nightly.sh [BUILD DIRECTORY] [NAME...]      names as in the table below; default: all
# VALKYR_RANDOM_SEED, VALKYR_FUZZ_FIRST: other first seeds than the tests' own.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/release
if [ -d "${1:-}" ]; then
    build=$1
    shift
else
    tools/dev/setup.sh
    tools/dev/build.sh release
fi

# name, test executable, its arguments; what makes it long
table='
compiler   test_compiler      -tc=random*      VALKYR_RANDOM_ROUNDS=50
doubles    test_compiler      -tc=*double*     VALKYR_DOUBLE_ROUNDS=50
encodings  test_valhall_isa   -tc=*random*     VALKYR_TEST_SCALE=20
functions  test_valhall_exec  -tc=*            VALKYR_EXHAUSTIVE=1
jit        test_jit           -tc=*            VALKYR_JIT_ROUNDS=10
exactness  test_jit           -tc=*random*programs*  VALKYR_JIT_ROUNDS=320
fragments  test_jit_fragment  -tc=*            VALKYR_JIT_ROUNDS=10
messages   test_jit_messages  -tc=*            VALKYR_JIT_ROUNDS=10
state      test_raster        -tc=random*      VALKYR_FUZZ_SEEDS=1000
'
failed=()
while read -r name test cases setting; do
    [ -n "$name" ] || continue
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then
        continue
    fi
    start=$SECONDS
    echo "== $name: $setting $test $cases"
    env "$setting" "$build/bin/$test" "$cases" </dev/null || failed+=("$name")
    echo "== $name: $((SECONDS - start)) s"
done <<<"$table"
if [ ${#failed[@]} -gt 0 ]; then
    echo "tools/nightly.sh: failed: ${failed[*]}" >&2
    exit 1
fi
