# shellcheck shell=bash
# The cost of idle streams for writes: updateNote over TLS, as in Tests/Load/notes, without and with idle streams.

goal_ratio=0.9
declare -A write_rates=()

run_writes() {
    local count=${stream_counts[-1]} pair side order=(without with)
    say
    find_postgres_programs
    point_at_database
    make_accounts
    restart_services
    load_notes 1 >/dev/null
    say "Measuring $pairs pairs of $seconds s, $connections clients, without and with $count streams, load average $(cut -d' ' -f1-3 /proc/loadavg)."
    for ((pair = 1; pair <= pairs; pair++)); do
        for side in "${order[@]}"; do
            "measure_$side" "$count"
        done
        # Swap the order after each pair, so that neither side gains from drift.
        order=("${order[1]}" "${order[0]}")
    done
    for side in without with; do
        printf '  %-8s %8.0f notes a second (rounds: %s)\n' "$side" "$(median <<<"${write_rates[$side]}")" "${write_rates[$side]% }"
    done
    write_ratio=$(pair_ratios | median)
    printf '  ratio    %8.3f, the median of the pairs (goal: %s)\n' "$write_ratio" "$goal_ratio"
    is_true 'a >= b' "$write_ratio" "$goal_ratio" || missed+="writes: $write_ratio of $goal_ratio; "
}

measure_without() {
    measure_writes without
}

measure_with() {
    local name="$1 idle streams"
    start_client "$name" tls "$1" --rounds 0
    measure_writes with
    release_client
    follow_client "$name"
    finish_client
    check_streams "$name"
    await_end_of_streams
}

# Measures writes.
measure_writes() {
    local count rate
    even_out_tables
    read -r count rate <<<"$(load_notes "$seconds")"
    [[ -n $rate ]] || fail "no notes could be written $1 streams"
    write_rates[$1]+="$rate "
}

load_notes() {
    local here=$here/../notes
    load_by_worker "$1"
}

pair_ratios() {
    paste -d ' ' <(tr ' ' '\n' <<<"${write_rates[with]}") <(tr ' ' '\n' <<<"${write_rates[without]}") |
        awk 'NF == 2 { print $1 / $2 }'
}
