# shellcheck shell=bash
# Messages of the scripts: progress on standard output, one clear line on standard error when they give up.

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

# The end of a log that explains a failure, indented below the line that names it.
show_tail() {
    local file=$1 lines=${2:-12}
    if [[ -s $file ]]; then
        say "  the last lines of $file:" >&2
        tail -n "$lines" -- "$file" | sed 's/^/    /' >&2
    fi
}

# Shown instead of a bare exit code when a command fails where no function expected it to.
on_error() {
    local status=$? command=$BASH_COMMAND
    # The shell that waits for a subshell reports for it.
    ((BASH_SUBSHELL == 0)) || return 0
    # The reader of our output has gone.
    ((status != 141)) || return 0
    warn "stopped: \"${command%%$'\n'*}\" failed with status $status (${BASH_SOURCE[1]##*/}, line ${BASH_LINENO[0]})"
    if [[ -d ${home:-} ]] && (($(free_megabytes "$home") < 5)); then
        warn "the reason: the disk of $home is full"
    fi
}

# Why a command that wrote this log failed, when the system was the reason.
explain_log() {
    local file=$1 reason
    reason=$(tail -n 40 -- "$file" | grep -aoiE -m1 'No space left on device|Disk quota exceeded|Read-only file system|Permission denied|Killed' || true)
    if [[ -n $reason ]]; then
        warn "the reason: $reason"
    fi
}
