#!/usr/bin/env bash
# Progress: shows how far a script is: in one line of a terminal, or in a line a minute of a log.
# Usage: . tools/dev/progress.sh
#   progress_during DONE ALL TEXT LOG COMMAND...   runs the command with its output in the file LOG, while
#                                                  DONE of ALL parts are done; its exit code
#   progress_of_ninja TEXT                         passes on what Ninja prints, and shows how far it is
#   progress_on_terminal                           true: a line is drawn
# The line is on standard error.

progress_terminal=
progress_columns=80
if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then
    progress_terminal=1
    read -r _ progress_columns < <(stty size <&2 2>/dev/null || echo 24 80)
    [ "$progress_columns" -gt 0 ] || progress_columns=80
fi
progress_began=$SECONDS
progress_shown=$SECONDS

progress_on_terminal() { [ -n "$progress_terminal" ]; }

# Seconds as "1:02:03" or "2:03".
progress_clock() {
    if [ "$1" -ge 3600 ]; then
        printf '%d:%02d:%02d' $(($1 / 3600)) $(($1 / 60 % 60)) $(($1 % 60))
    else
        printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
    fi
}

# Shows that DONE of ALL parts are done, and the text. In a log: only if the last line is a minute old.
progress_show() {
    local done=$1 all=$2 text=$3 figures width bar
    progress_on_terminal || [ $((SECONDS - progress_shown)) -ge 60 ] || return 0
    progress_shown=$SECONDS
    figures="$done of $all, $(progress_clock $((SECONDS - progress_began)))"
    if ! progress_on_terminal; then
        echo "$text: $figures" >&2
        return
    fi
    width=$((progress_columns - 5 - ${#text} - ${#figures}))
    if [ "$width" -lt 10 ]; then
        text="$text $figures"
        printf '\r%s\033[K' "${text:0:progress_columns-1}" >&2
        return
    fi
    [ "$width" -le 40 ] || width=40
    printf -v bar '%*s' "$width" ''
    bar=${bar// /.}
    width=$((all > 0 ? done * width / all : width))
    bar="$(printf '%*s' "$width" '' | tr ' ' '#')${bar:width}"
    printf '\r%s [%s] %s\033[K' "$text" "$bar" "$figures" >&2
}

progress_clear() {
    ! progress_on_terminal || printf '\r\033[K' >&2
}

# Once a second, until it is killed or the script has ended.
progress_tick() {
    while kill -0 $$ 2>/dev/null; do
        sleep 1 >/dev/null 2>&1
        progress_show "$@"
    done
}

progress_during() {
    local done=$1 all=$2 text=$3 log=$4 code=0
    shift 4
    progress_show "$done" "$all" "$text"
    # The command runs in the foreground, since background jobs do not get Ctrl-C.
    progress_tick "$done" "$all" "$text" >/dev/null &
    local ticker=$!
    "$@" >"$log" 2>&1 || code=$?
    kill "$ticker" 2>/dev/null || true
    wait "$ticker" 2>/dev/null || true
    # The ticker has printed lines, too, but counts them in variables of its own.
    progress_shown=$((SECONDS - (SECONDS - progress_shown) % 60))
    progress_clear
    return $code
}

progress_of_ninja() {
    local text=$1 line
    while IFS= read -r line; do
        printf '%s\n' "$line"
        # At most ten updates a second: many files that are up to date take no time.
        if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] && progress_is_time; then
            progress_show "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "$text"
        fi
    done
    progress_clear
}

progress_tenth=
# True once in a tenth of a second.
progress_is_time() {
    local tenth=${EPOCHREALTIME%?????}
    [ "$tenth" != "$progress_tenth" ] || return 1
    progress_tenth=$tenth
}
