# shellcheck shell=bash
# Messages of the scripts: progress on standard output, a line on standard error before giving up.

say() {
    printf '%s\n' "$*"
}

warn() {
    printf '%s: %s\n' "$program" "$*" >&2
}

fail() {
    warn "$@"
    exit 1
}

# Prints the end of a log, indented, to explain a failure.
show_tail() {
    local file=$1 lines=${2:-12}
    if [[ -s $file ]]; then
        say "  the last lines of $file:" >&2
        tail -n "$lines" -- "$file" | sed 's/^/    /' >&2
    fi
}

# Explains an unexpected failure of a command.
on_error() {
    local status=$? command=$BASH_COMMAND
    # The parent shell of a subshell reports the failure.
    ((BASH_SUBSHELL == 0)) || return 0
    # The reader of our output has exited.
    ((status != 141)) || return 0
    warn "stopped: \"${command%%$'\n'*}\" failed with status $status (${BASH_SOURCE[1]##*/}, line ${BASH_LINENO[0]})"
    if [[ -d ${home:-} ]] && (($(free_megabytes "$home") < 5)); then
        warn "the reason: the disk of $home is full"
    fi
}

# Prints the system's reason for a failure found in a log, if there is one.
explain_log() {
    local file=$1 reason
    reason=$(tail -n 40 -- "$file" | grep -aoiE -m1 'No space left on device|Disk quota exceeded|Read-only file system|Permission denied|Killed' || true)
    if [[ -n $reason ]]; then
        warn "the reason: $reason"
    fi
}
