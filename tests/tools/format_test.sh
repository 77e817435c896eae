#!/usr/bin/env bash
# All C++ files are as clang-format 14 leaves them. Exit code 77 (skipped) without clang-format 14.
cd "$(dirname "$0")/../.."
command -v clang-format-14 >/dev/null || exit 77
find src examples tests bench \( -name '*.[ch]pp' -o -name '*.inl' \) -print0 | xargs -0 clang-format-14 --dry-run -Werror
