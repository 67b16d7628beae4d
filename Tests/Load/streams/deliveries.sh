# shellcheck shell=bash
# The time until a change reaches all streams, and the memory of a stream.

# The goals by kind. Over TLS, an idle stream keeps 18 KiB more in nginx (valgrind --tool=massif): 7.5 KiB of OpenSSL's
# connection, 5.5 KiB of its ciphers, session and locks, and the 4 KiB in which nginx gathers a record.
declare -A goal_milliseconds=([plain]=250 [tls]=400) goal_kibibytes=([plain]=24 [tls]=36)

run_deliveries() {
    local count kind
    say "Measuring deliveries: $rounds changes each, load average $(cut -d' ' -f1-3 /proc/loadavg)."
    for count in "${stream_counts[@]}"; do
        for kind in plain tls; do
            measure_deliveries "$count" "$kind"
        done
    done
}

measure_deliveries() {
    local count=$1 kind=$2 name="$1 $2" before_nginx before_events
    restart_services
    before_nginx=$(memory_of "${nginx_pids[@]}")
    before_events=$(memory_of "${events_pids[@]}")
    start_client "$name" "$kind" "$count" --rounds "$rounds"
    say
    say "$count streams, $kind"
    printf '  opened         %s in %s s; %s failed\n' "${result[opened]}" "${result[opening_seconds]}" "${result[failed]}"
    ((result[opened] > 0)) || fail "no stream opened: ${result[failures]:-}"
    printf '  hello          p50 / p99 / max %s ms after connecting\n' "$(three hello)"
    print_memory 'memory, idle'
    release_client
    follow_client "$name"
    printf '  delivery       p50 / p99 / max %s ms after the PUT was sent (goal: p99 %s)\n' "$(three delivery)" \
        "${goal_milliseconds[$kind]}"
    printf '                 p50 / p99 / max %s ms after its answer, which took %s\n' "$(three delivery_after_answer)" "$(three answer)"
    printf '                 %s arrived, %s missed; the client itself used %s ms of processor time a change\n' \
        "${result[delivered]}" "${result[missed]}" "${result[own_processor_time_a_round]}"
    print_memory 'memory, after'
    finish_client
    printf '  in the end     %s open, %s dropped, %s pings heard\n' "${result[open]}" "${result[dropped]}" "${result[pings]}"
    check_streams "$name"
    if [[ $count == "${stream_counts[-1]}" ]]; then
        judge_deliveries "$name"
    fi
}

# Prints the memory per stream of nginx and almanac-events, and sets memory_per_stream to the sum.
print_memory() {
    local title=$1 count=${result[opened]} nginx events
    nginx=$(calculate "(a - b) / $count" "$(memory_of "${nginx_pids[@]}")" "$before_nginx" %.1f)
    events=$(calculate "(a - b) / $count" "$(memory_of "${events_pids[@]}")" "$before_events" %.1f)
    memory_per_stream=$(calculate 'a + b' "$nginx" "$events" %.1f)
    printf '  %-14s nginx %s + almanac-events %s = %s KiB a stream (goal: %s)\n' "$title" "$nginx" "$events" \
        "$memory_per_stream" "${goal_kibibytes[$kind]}"
}

judge_deliveries() {
    local most=${goal_milliseconds[$kind]} room=${goal_kibibytes[$kind]}
    [[ ${result[delivery_p99]} != none ]] && is_true 'a <= b' "${result[delivery_p99]}" "$most" ||
        missed+="$1: p99 ${result[delivery_p99]} ms of $most; "
    is_true 'a <= b' "$memory_per_stream" "$room" || missed+="$1: $memory_per_stream KiB of $room; "
}
