# shellcheck shell=bash
# The figures, and their comparison with the goals.

goal_config=50
goal_notes=1000
goal_peak=512
goal_after=60
declare -A whens=([quiet]=", without greed" [greed]=", with greed")

# Prints figures of the requests with a name in a log: their number, the number without status 200, and the median,
# the 99th percentile and the maximum of the latencies in milliseconds. A failed request counts as infinitely slow.
figures() {
    awk -v "name=$2" '$1 == name { print ($5 == 200 ? $4 : "inf") }' "$folder/$1" | sort -g |
        awk '{ time[NR] = $1; if ($1 == "inf") failed++ }
            function rank(share) { place = int(share * NR); return time[place < share * NR ? place + 1 : place] }
            END { print NR, failed + 0, NR ? rank(0.5) : "inf", NR ? rank(0.99) : "inf", NR ? time[NR] : "inf" }'
}

# Counts updates with a higher revision than a later update. nginx may reorder close updates, so those don't count.
overtaken() {
    awk -v "slack=$((4 * notes_interval))" '
        $1 == "updates" && $5 == 200 { due[$2] = $3; revision[$2] = $6; last = $2 > last ? $2 : last }
        END {
            for (later = last; later >= 0; later--) {
                if (!(later in due)) continue
                for (update in due) if (due[update] + slack <= due[later] && revision[update] > revision[later]) overtaken[update]
            }
            for (update in overtaken) count++
            print count + 0
        }' "$folder/callers-greed"
}

print_report() {
    local kind names=()
    for kind in "${environments[@]}"; do
        names+=("config-$kind")
    done
    printf '\n%-34s %8s %9s %9s %9s %9s\n' 'milliseconds' requests failed p50 p99 max
    for kind in "${names[@]}" reads updates; do
        print_callers "$kind"
    done
    printf '%-34s %8s lost, %s doubled, %s overtaken by a later one\n' 'updates that were acknowledged' "$lost" "$doubled" "$(overtaken)"
    judge_callers "${names[@]}"
    printf '\n%-10s %7s %9s %9s   %s\n' greedy callers answers MB 'answers by status, and what was not answered'
    for kind in "${kinds[@]}"; do
        ((${greedy[$kind]} == 0)) || print_greedy "$kind"
    done
    print_processors
    print_memory
}

print_callers() {
    local when requests failed p50 p99 longest
    for when in quiet greed; do
        read -r requests failed p50 p99 longest < <(figures "callers-$when" "$1")
        printf '%-34s %8s %9s %9s %9s %9s\n' "$(title "$1")${whens[$when]}" "$requests" "$failed" "$p50" "$p99" "$longest"
    done
}

title() {
    case $1 in
        config-*) printf 'GET /%s/config' "${1#config-}" ;;
        reads) printf 'notes read' ;;
        updates) printf 'notes updated' ;;
    esac
}

# Prints a line about greedy callers. A refusal does not count as a failure.
print_greedy() {
    awk -v "name=$1" -v "callers=${greedy[$1]}" '
        $1 == name { answers[$5]++; bytes += $7; if ($5 ~ /^[0-9]+$/) count++ }
        END {
            printf "%-10s %7d %9d %9.1f  ", name, callers, count, bytes / 1e6
            for (status in answers) printf " %s × %d", status, answers[status]
            printf "\n"
        }' "$folder/greedy"
}

judge_callers() {
    local name requests failed p50 p99 longest overtaken
    for name in "$@" reads updates; do
        read -r requests failed p50 p99 longest < <(figures callers-greed "$name")
        case $name in
            config-*) is_reached "p99 of $(title "$name")" "$p99" "$goal_config" ms ;;
            *)
                is_reached "p99 of $(title "$name")" "$p99" "$goal_notes" ms
                is_reached "$(title "$name") without an answer" "$failed" 0 ''
                ;;
        esac
    done
    is_reached "updates lost" "$lost" 0 ''
    is_reached "updates doubled" "$doubled" 0 ''
    is_reached "updates overtaken" "$(overtaken)" 0 ''
}

# Adds a missed goal to the list: name, figure, goal, unit.
is_reached() {
    is_true 'a <= b' "${2/inf/1e300}" "$3" || missed+="$1: $2 of $3${4:+ $4}; "
}

print_processors() {
    local worker nginx postgres ticks
    ticks=$((elapsed * $(nproc) / 10000))
    read -r worker nginx postgres < <(paste -d ' ' <(printf '%s' "$processor_before") <(printf '%s' "$processor_after") |
        awk '{ print $4 - $1, $5 - $2, $6 - $3 }')
    printf '\nprocessor time of %s processors: PostgreSQL %s, the worker %s, nginx %s; the greedy callers themselves %s, the others %s\n' \
        "$(nproc)" "$(share "$postgres")" "$(share "$worker")" "$(share "$nginx")" "$(share "$(own_ticks greedy)")" \
        "$(share "$(own_ticks callers-greed)")"
}

own_ticks() {
    awk '$1 == "#" { print int($4 / 10) }' "$folder/$1" 2>/dev/null || printf 0
}

share() {
    calculate '100 * a / b' "$1" "$ticks" '%.0f %%'
}

print_memory() {
    local peak restarts
    peak=$(awk '{ most = $3 > most ? $3 : most; most = $4 > most ? $4 : most } END { print int(most / 1024) }' "$folder/memory")
    restarts=$(awk '$2 != "-" { print $2 }' "$folder/memory" | sort -u | awk 'END { print NR - 1 }')
    printf '\nalmanac-worker: resident %s MB before, %s MB at its peak, %s MB %s s after; restarted %s times%s\n' \
        "$((memory_before / 1024))" "$peak" "$((${memory_after:-0} / 1024))" "$rest" "$restarts" \
        "${kills:+, killed $kills times by the limit}"
    printf 'resident MB, every five seconds: %s\n' \
        "$(awk 'NR % 5 == 1 { printf "%s%d", (NR > 1 ? " " : ""), $3 / 1024 }' "$folder/memory")"
    printf '%s\n\n' "$confinement"
    is_reached "MB at the worker's peak" "$peak" "$goal_peak" ''
    is_reached "MB of the worker $rest s later" "$((${memory_after:-0} / 1024))" "$goal_after" ''
    is_reached "the worker's restarts" "$restarts" 0 ''
}
