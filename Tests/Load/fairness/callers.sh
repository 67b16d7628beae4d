# shellcheck shell=bash
# Fair callers: readers of each environment's config, and a user with notes.

# The time between two requests, in milliseconds. A new request does not wait for the previous response.
config_interval=20
notes_interval=50
# The seconds after which a request counts as unanswered.
patience=30

neighbour=neighbour
neighbour_notes=200

# Prints a request followed by a zero byte: the user (empty for anonymous), the method, the path, the file with the
# request body (may be empty), and a further header line.
prepared_request() {
    local subject=$1 method=$2 path=$3 body=${4:-} line=${5:-}
    printf '%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n' "$method" "$path"
    [[ -z $line ]] || printf '%s\r\n' "$line"
    [[ -z $subject ]] || printf 'Authorization: Bearer %s\r\n' "$(<"$folder/tokens/$subject")"
    if [[ -n $body ]]; then
        printf 'Content-Type: application/json\r\nContent-Length: %s\r\n\r\n' "$(stat -c %s -- "$body")"
        cat -- "$body"
    else
        printf '\r\n'
    fi
    printf '\0'
}

prepare_callers() {
    local name
    say "Preparing requests."
    mkdir -p -- "$folder/requests"
    for name in "${environments[@]}"; do
        environment=$name patch_config "$(settings 0 50 first)"
        prepared_request '' GET "/$name/config" >"$folder/requests/config-$name"
    done
    user_token "$neighbour" >"$folder/tokens/$neighbour"
    make_notes_of_neighbour
    prepare_reads
    prepare_updates quiet 0 "$quiet_seconds"
    prepare_updates greed 100000 "$seconds"
}

# Creates notes of 2 KB. Revision N + 1 creates the note with number N.
make_notes_of_neighbour() {
    local number separator='['
    for ((number = 0; number < neighbour_notes; number++)); do
        printf '%s["createNote",{"id":"%s","title":"Note %s","body":"%s"}]' "$separator" "$number" "$number" "$(body_with white)"
        separator=,
    done >"$folder/notes"
    printf ']' >>"$folder/notes"
    post_actions "$neighbour" "@$folder/notes"
}

prepare_reads() {
    local number
    for ((number = 0; number < neighbour_notes; number++)); do
        prepared_request "$neighbour" GET "/$environment/notes/$number"
        ((number % 10)) || prepared_request "$neighbour" GET "/$environment/notes?limit=20"
    done >"$folder/requests/reads"
}

# Prepares updates that insert a unique number into each note's first revision: suffix, first number, seconds.
prepare_updates() {
    awk -v "first=$2" -v "count=$((($3 + 1) * 1000 / notes_interval))" -v "notes=$neighbour_notes" \
        -v "text=$(body_with white)" -v "token=$(<"$folder/tokens/$neighbour")" -v "path=/$environment/notes" 'BEGIN {
        for (number = first; number < first + count; number++) {
            note = number % notes
            body = sprintf("[[\"updateNote\",{\"action_id\":\"update-%d\",\"id\":\"%d\",\"base\":%d,\"body\":[\"<%d> \",%d]}]]",
                number, note, note + 1, number, length(text))
            printf "POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer %s\r\n", path, token
            printf "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s\n", length(body), body
        }
    }' | sed -z 's/\]\]\n/]]\x00/g' >"$folder/requests/updates-$1"
}

# Starts the callers: the log's suffix, seconds.
start_callers() {
    local environment kinds=() priority=()
    for environment in "${environments[@]}"; do
        kinds+=("config-$environment@$config_interval=$folder/requests/config-$environment")
    done
    # These callers stand for other machines, so their process must not wait for a processor. Only root may set this.
    ((EUID != 0)) || priority=(chrt --fifo 1)
    "${priority[@]}" "$folder/callers" "localhost:$plain_port" "$2" "$patience" "${kinds[@]}" \
        "reads@$notes_interval=$folder/requests/reads" "updates@$notes_interval=$folder/requests/updates-$1" \
        >"$folder/callers-$1" 2>"$folder/callers.log" &
    callers_process=$!
}

# Counts the acknowledged updates whose word is missing, and the words that occur twice.
check_updates() {
    ask_instance "/${environments[0]}/notes?limit=1000" -H "Authorization: Bearer $(<"$folder/tokens/$neighbour")" |
        grep -oE '<[0-9]+>' | tr -d '<>' | sort >"$folder/words"
    {
        awk '$1 == "updates" && $5 == 200 { print $2 }' "$folder/callers-quiet"
        awk '$1 == "updates" && $5 == 200 { print $2 + 100000 }' "$folder/callers-greed"
    } | sort >"$folder/acknowledged"
    lost=$(comm -23 "$folder/acknowledged" <(uniq "$folder/words") | wc -l)
    doubled=$(uniq -d "$folder/words" | wc -l)
}
