# shellcheck shell=bash
# Measurements of both sides in turn: the time from the start to the first response, and the rate under load.
#
# The sourcing script sets sides, cases, seconds, rounds and connections (see sides.sh and answers.sh).

# The results by "side case": a rate per round, and the requests and processor time of all rounds.
declare -A rates=() requests=() ticks=()
declare -A start_times=() memory_at_start=() memory_after_load=()

microseconds() {
    printf '%s\n' "${EPOCHREALTIME/./}"
}

await_answer() {
    local side=$1 deadline=$((SECONDS + 15))
    until ask "$side" "${cases[0]}" --fail -o /dev/null 2>/dev/null; do
        if ((SECONDS >= deadline)) || ! is_alive "${pids[$side]}"; then
            show_tail "$folder/$side/log/program.log"
            show_tail "$folder/$side/log/nginx-error.log"
            fail "the $side does not answer"
        fi
        sleep 0.005
    done
}

# Measures several times from a process's start to its first response. The last process of each side continues to run.
measure_start_up() {
    local side start attempt
    say "Measuring start-up."
    for side in "${sides[@]}"; do
        for attempt in 1 2 3 4 5; do
            end_program "$side"
            start=$(microseconds)
            start_program "$side"
            await_answer "$side"
            start_times[$side]+="$(($(microseconds) - start)) "
        done
        memory_at_start[$side]=$(resident_memory_of "${pids[$side]}")
    done
}

# Measures every case on both sides in each round. The sides swap their order after each round.
measure_rates() {
    local round name side order=("${sides[@]}")
    say "Measuring $rounds rounds of $((2 * ${#cases[@]})) times $seconds s, $connections connections, $worker_threads threads."
    for side in "${sides[@]}"; do
        load "$side" "${cases[0]}" 1 >/dev/null
    done
    for ((round = 1; round <= rounds; round++)); do
        for name in "${cases[@]}"; do
            for side in "${order[@]}"; do
                measure_one "$side" "$name"
            done
        done
        order=("${order[1]}" "${order[0]}")
    done
    for side in "${sides[@]}"; do
        memory_after_load[$side]=$(resident_memory_of "${pids[$side]}")
    done
}

measure_one() {
    local key="$1 $2" before output count rate
    before=$(processor_ticks_of "${pids[$1]}")
    output=$(load "$1" "$2" "$seconds")
    ticks[$key]=$((${ticks[$key]:-0} + $(processor_ticks_of "${pids[$1]}") - before))
    count=$(awk '/ requests in / { print $1 }' <<<"$output")
    rate=$(awk '/^Requests\/sec:/ { print $2 }' <<<"$output")
    requests[$key]=$((${requests[$key]:-0} + count))
    rates[$key]+="$rate "
    # Logs are written as in production, but emptied to save disk space.
    : >"$folder/$1/log/program.log"
    : >"$folder/$1/log/nginx-access.log"
}

load() {
    local side=$1 name=$2 duration=$3 url output options=() header
    url=http://127.0.0.1:${plain_ports[$side]}$(path_of "$side" "$name")
    [[ $name != tls ]] || url=https://127.0.0.1:${tls_ports[$side]}$(path_of "$side" "$name")
    while read -r header; do
        [[ -z $header ]] || options+=(-H "$header")
    done <<<"$(header_of "$side" "$name")"
    if [[ -n ${bodies[$name]:-} ]]; then
        printf 'wrk.method = "POST"\nwrk.body = io.open("%s", "rb"):read("*a")\n' "${bodies[$name]}" >"$folder/post.lua"
        options+=(-s "$folder/post.lua")
    fi
    output=$(wrk -t "$((connections < 2 ? 1 : 2))" -c "$connections" -d "${duration}s" --timeout 10s "${options[@]}" "$url")
    if grep -qE 'Non-2xx|Socket errors' <<<"$output"; then
        grep -E 'Non-2xx|Socket errors' <<<"$output" >&2
        show_tail "$folder/$side/log/program.log" 3
        show_tail "$folder/$side/log/nginx-error.log" 3
        fail "the $side failed under \"$name\""
    fi
    printf '%s\n' "$output"
}
