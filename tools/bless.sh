#!/usr/bin/env bash
# Bless: writes expected output of tests anew, so that it can be reviewed as a difference.
# Usage: tools/bless.sh --list
#        tools/bless.sh NAME... [--reason TEXT]     TEXT: why new conformance pictures are right
set -euo pipefail
cd "$(dirname "$0")/.."
bin=build/release/bin

# name, build target or -, files; then the command
table='
scenes       -                tests/pictures/conformance/*/*.scene          python3 tools/conformance/make_conformance.py
conformance  conform_reference  tests/pictures/conformance/*/*.png,goldens.txt  $bin/conform_reference --bless --reason "$reason"
pictures     test_scenes_geometry  tests/pictures/golden/*.png              VALKYR_BLESS=1 $bin/test_scenes_geometry -tc=golden*
counts       test_jit         tests/jit/counts.txt                          VALKYR_UPDATE_COUNTS=1 $bin/test_jit -tc=*host?instructions*
encodings    -                tests/valhall/encodings/{generated,negative-words}.txt  python3 tests/valhall/isa/make_cases.py
teapot       -                examples/models/{teapot.*,tiles.png}          python3 examples/models/make_teapot.py
'
usage() {
    sed -n '3,4s/^# //p' "$0" >&2
    exit 2
}

names=()
reason=
while [ $# -gt 0 ]; do
    case $1 in
    --list)
        while read -r name _ files _; do
            [ -z "$name" ] || printf '%-12s %s\n' "$name" "$files"
        done <<<"$table"
        exit 0
        ;;
    --reason)
        reason=${2:-}
        shift
        ;;
    -*) usage ;;
    *) names+=("$1") ;;
    esac
    shift || usage
done
[ ${#names[@]} -gt 0 ] || usage

for wanted in "${names[@]}"; do
    row=$(awk -v name="$wanted" '$1 == name' <<<"$table")
    [ -n "$row" ] || usage
    if [ "$wanted" = conformance ] && [ -z "$reason" ]; then
        echo "tools/bless.sh: conformance needs --reason" >&2
        exit 2
    fi
done
for wanted in "${names[@]}"; do
    read -r _ target _ command < <(awk -v name="$wanted" '$1 == name' <<<"$table")
    if [ "$target" != - ]; then
        tools/dev/setup.sh
        tools/dev/build.sh release --target "$target"
    fi
    echo "== $wanted: $command"
    (set -f && eval "$command")
done
git status --short
