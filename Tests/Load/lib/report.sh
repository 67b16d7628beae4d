# shellcheck shell=bash
# The figures, and the comparison of ratios with their goals.
#
# The sourcing script sets titles and goals by case name. A case may have no goal.

declare -A titles=() goals=() ratios=()

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

# Prints a ratio per round. Both measurements of a round are close in time, so other load affects both.
pair_ratios() {
    paste -d ' ' <(tr ' ' '\n' <<<"${rates[worker $1]}") <(tr ' ' '\n' <<<"${rates[baseline $1]}") |
        awk 'NF == 2 { print $1 / $2 }'
}

processor_time() {
    calculate 'a * 10000 / b' "${ticks[$1 $2]}" "${requests[$1 $2]}" %.1f
}

# Prints the ratios below their goals, as a sentence.
missed_ratios() {
    local name
    for name in "${cases[@]}"; do
        [[ -z ${goals[$name]:-} ]] || is_true 'a >= b' "${ratios[$name]}" "${goals[$name]}" ||
            printf '%s at %s of %s; ' "${titles[$name]}" "${ratios[$name]}" "${goals[$name]}"
    done
}
