# shellcheck shell=bash
# Stalled readers, and their effect on other streams.

# An event names at most 64 keys. The many changes fill the buffers.
stalled_keys=60
stalled_rounds=150

run_stalled() {
    local without
    say
    say "Measuring with readers that read nothing: $stalled_rounds changes of $stalled_keys keys each."
    measure_stalled 0
    without=${result[delivery_p99]}
    measure_stalled "$stalled"
    printf '  of the stalled ones, %s were closed by the server and %s are still open\n' \
        "${result[stalled_closed]}" "${result[stalled_open]}"
    [[ ${result[delivery_p99]} != none && $without != none ]] || return 0
    printf '  p99 with them against without: %s\n' "$(calculate 'a / b' "${result[delivery_p99]}" "$without" %.2f)"
    # These rounds vary by a factor of two without stalled readers. A blocked broadcast would take seconds.
    is_true "a <= b * 2 || a <= ${goal_milliseconds[plain]}" "${result[delivery_p99]}" "$without" ||
        missed+="stalled readers: p99 ${result[delivery_p99]} ms, $without without them; "
}

measure_stalled() {
    local count=${stream_counts[0]}
    restart_services
    run_client "$1 stalled" tls "$count" --rounds "$stalled_rounds" --keys "$stalled_keys" --stalled "$1"
    printf '  %s streams, %s stalled: delivery p50 / p99 / max %s ms; %s arrived, %s missed, %s dropped\n' \
        "$count" "$1" "$(three delivery)" "${result[delivered]}" "${result[missed]}" "${result[dropped]}"
    await_end_of_streams
}
