# shellcheck shell=bash
# The titles and goals of the measurement, and its verdict.

titles=(
    [config]='GET /config' [delta]='GET /config/{timestamp}' [unchanged]='304 by If-None-Match' [tls]='GET /config over TLS'
)
goals=([config]=0.95 [delta]=0.95 [unchanged]=0.95 [tls]=0.95)

# Prints the cases that take too much processor time, as a sentence.
exceeded_processor_times() {
    local name
    for name in "${cases[@]}"; do
        is_true 'a <= 1.15 * b' "$(processor_time worker "$name")" "$(processor_time baseline "$name")" ||
            printf '%s takes more than 1.15 of the processor time; ' "${titles[$name]}"
    done
}

judge() {
    local missed
    [[ $mode == worker ]] || return 0
    missed=$(missed_ratios)
    missed+=$(exceeded_processor_times)
    is_true 'a <= b' "${memory_after_load[worker]}" 40960 || missed+="more than 40 MB resident; "
    is_true 'a <= b' "$(median <<<"${start_times[worker]}")" 200000 || missed+="more than 200 ms until the first answer; "
    [[ -z $missed ]] || miss_goals "${missed%; }"
    say "All goals met."
}
