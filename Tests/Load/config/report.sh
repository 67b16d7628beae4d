# shellcheck shell=bash
# The titles and goals of the measurement, and its verdict.

titles=(
    [config]='GET /config' [delta]='GET /config/{timestamp}' [unchanged]='304 by If-None-Match' [tls]='GET /config over TLS'
)
goals=([config]=0.9 [delta]=0.9 [unchanged]=0.9)

judge() {
    local missed
    [[ $mode == worker ]] || return 0
    missed=$(missed_ratios)
    is_true 'a <= b' "${memory_after_load[worker]}" 40960 || missed+="more than 40 MB resident; "
    is_true 'a <= b' "$(median <<<"${start_times[worker]}")" 200000 || missed+="more than 200 ms until the first answer; "
    [[ -z $missed ]] || miss_goals "${missed%; }"
    say "All goals met."
}
