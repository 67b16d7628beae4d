# shellcheck shell=bash
# The figures, and whether they reach the goals.

declare -A titles=(
    [config]='GET /config' [delta]='GET /config/{timestamp}' [unchanged]='304 by If-None-Match' [tls]='GET /config over TLS'
)
declare -A ratios=()

print_report() {
    local name side names=(almanac-worker 'C program')
    case $mode in
        noise) names=('C program' 'C program') ;;
        against) names=('this checkout' "${former_code##*/}") && names[1]=${names[1]:0:12} ;;
    esac
    printf '\n%-26s %14s %12s %7s %16s\n' '' "${names[0]}" "${names[1]}" ratio 'processor time'
    for name in "${cases[@]}"; do
        print_case "$name"
    done
    printf '\nrequests per second and ratio: medians of the rounds; processor time: per request, of the two programs alone\n\n'
    [[ $mode != against ]] || return 0
    for side in "${sides[@]}"; do
        printf '%-14s resident %s MB after its start, %s MB after load; first answer %s ms after its start\n' \
            "$([[ $side == worker ]] && printf '%s' "${names[0]}" || printf '%s' "${names[1]}")" \
            "$(calculate 'a / 1024' "${memory_at_start[$side]}" 0 %.1f)" \
            "$(calculate 'a / 1024' "${memory_after_load[$side]}" 0 %.1f)" \
            "$(calculate 'a / 1000' "$(median <<<"${start_times[$side]}")" 0 %.0f)"
    done
}

print_case() {
    local name=$1 worker baseline size
    worker=$(median <<<"${rates[worker $name]}")
    baseline=$(median <<<"${rates[baseline $name]}")
    size=$(ask worker "$name" | wc -c)
    ratios[$name]=$(printf '%.3f' "$(pair_ratios "$name" | median)")
    printf '%-26s %14.0f %12.0f %7s %7s | %s µs   %s bytes\n' "${titles[$name]}" "$worker" "$baseline" "${ratios[$name]}" \
        "$(processor_time worker "$name")" "$(processor_time baseline "$name")" "$size"
}

# One ratio per round: its two measurements lie next to each other in time, and so in what else the machine did.
pair_ratios() {
    paste -d ' ' <(tr ' ' '\n' <<<"${rates[worker $1]}") <(tr ' ' '\n' <<<"${rates[baseline $1]}") |
        awk 'NF == 2 { print $1 / $2 }'
}

processor_time() {
    calculate 'a * 10000 / b' "${ticks[$1 $2]}" "${requests[$1 $2]}" %.1f
}

judge() {
    local name missed=
    [[ $mode == worker ]] || return 0
    for name in config delta unchanged; do
        is_true 'a >= b' "${ratios[$name]}" 0.9 || missed+="${titles[$name]} at ${ratios[$name]} of 0.9; "
    done
    is_true 'a <= b' "${memory_after_load[worker]}" 40960 || missed+="more than 40 MB resident; "
    is_true 'a <= b' "$(median <<<"${start_times[worker]}")" 200000 || missed+="more than 200 ms until the first answer; "
    [[ -z $missed ]] || fail "goals missed: ${missed%; }"
    say "All goals met."
}
