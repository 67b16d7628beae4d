# shellcheck shell=bash
# Exit statuses of a measurement: 0 when every goal is met, 2 when a goal is missed, 1 when the measurement did not run to
# its end.

# Ends a measurement that ran to its end and missed goals, which are named.
miss_goals() {
    warn "goals missed: $1"
    exit 2
}

# Ends the measurement with status 1 when a command fails where no function expects it to. The status of the command
# itself could be 2.
trap_errors() {
    trap 'on_error; exit 1' ERR
}
