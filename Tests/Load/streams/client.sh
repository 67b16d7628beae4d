# shellcheck shell=bash
# The client, and its printed names and values, which are stored in result.

declare -A result=()
client_process=

# Starts the client and opens all streams: run name, plain or tls, number of streams, further options.
start_client() {
    local name=$1 kind=$2 count=$3 port=$plain_port options=()
    shift 3
    if [[ $kind == tls ]]; then
        port=$instance_port
        options=(--tls "$tls/ca.pem")
    fi
    result=()
    coproc client {
        exec "$folder/streams" --streams "$count" --steps --config "/$environment/config" \
            --write-token "$tokens/$environment.token" "${options[@]}" "$@" "localhost:$port" "/$environment/events" \
            2>"$folder/client.log"
    }
    # Duplicate the descriptors, because the shell closes its own as soon as the client ends, even with unread output.
    exec {from_client}<&"${client[0]}" {to_client}>&"${client[1]}"
    client_process=$client_PID
    follow_client "$name"
}

# Reads results up to the next step.
follow_client() {
    local name=$1 key value
    while read -r key value <&"$from_client"; do
        case $key in
            step) return 0 ;;
            failure | drop) result[${key}s]+="$value; " ;;
            *) result[$key]=$value ;;
        esac
    done
    show_tail "$folder/client.log"
    show_tail "$logs/nginx-error.log" 5
    show_tail "$logs/events.log" 5
    fail "the client did not finish: $name"
}

# Lets the client take the next step.
release_client() {
    printf '\n' >&"$to_client"
}

# Ends the client, and reads its last results. Failed, dropped or silent streams are no failure of the client.
finish_client() {
    local key value
    release_client
    while read -r key value <&"$from_client"; do
        if [[ $key == drop ]]; then
            result[drops]+="$value; "
        else
            result[$key]=$value
        fi
    done
    wait "$client_process" || true
    client_process=
    exec {from_client}<&- {to_client}>&-
}

run_client() {
    start_client "$@"
    release_client
    follow_client "$1"
    finish_client
    check_streams "$1"
}

end_client() {
    if [[ -n $client_process ]]; then
        end_process "$client_process" TERM 5 || true
    fi
}

# Checks that every stream opened, none was dropped, and each received every change.
check_streams() {
    local name=$1 key
    for key in failed dropped missed; do
        ((${result[$key]:-0} == 0)) || {
            missed+="$name: ${result[$key]} $key; "
            warn "$name: ${result[$key]} $key: ${result[failures]:-}${result[drops]:-}"
        }
    done
}

three() {
    printf '%s / %s / %s' "${result[$1_p50]}" "${result[$1_p99]}" "${result[$1_max]}"
}
