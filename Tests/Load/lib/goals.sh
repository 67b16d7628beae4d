# shellcheck shell=bash
# Exit statuses of a measurement: 0 if every goal is met, 2 if a goal is missed, 1 if the measurement did not finish.

# Ends a finished measurement with status 2, and prints the missed goals.
miss_goals() {
    warn "goals missed: $1"
    exit 2
}

# Ends the measurement with status 1 after an unexpected failure of a command. The command's own status could be 2.
trap_errors() {
    trap 'on_error; exit 1' ERR
}
