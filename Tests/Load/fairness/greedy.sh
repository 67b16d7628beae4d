# shellcheck shell=bash
# Those who ask for more than their share: what they ask for is made once, as bytes.

searcher=searcher
hoarder=hoarder
bombers=(bomber-1 bomber-2 bomber-3 bomber-4)

prepare_greedy() {
    local subject
    for subject in "$searcher" "$hoarder" "${bombers[@]}"; do
        user_token "$subject" >"$folder/tokens/$subject"
    done
    make_notes_of_searcher
    make_notes_of_hoarder
    prepare_searches >"$folder/requests/searches"
    prepare_batches >"$folder/requests/batches"
    prepare_waits >"$folder/requests/waits"
    prepare_bombs >"$folder/requests/bombs"
    prepare_floods >"$folder/requests/floods"
}

# 2,000 notes of 300 words, all of which begin with an a.
make_notes_of_searcher() {
    local part
    for part in 0 1 2 3; do
        awk -v "part=$part" 'BEGIN {
            for (number = 0; number < 500; number++) {
                printf "%s[\"createNote\",{\"id\":\"%d-%d\",\"title\":\"about\",\"body\":\"", number ? "," : "[", part, number
                for (word = 0; word < 300; word++) printf "a%d ", (number * 300 + word) % 5000
                printf "\"}]"
            }
            printf "]"
        }' >"$folder/notes"
        post_actions "$searcher" "@$folder/notes"
    done
}

prepare_searches() {
    prepared_request "$searcher" GET "/$environment/notes?q=$(awk 'BEGIN { for (i = 0; i < 333; i++) printf "%sa*", (i ? "+" : "") }')"
}

# A note of 1 MB, made by an action that is repeated from then on, and one of 100 KB that is edited.
make_notes_of_hoarder() {
    {
        printf '[["createNote",{"action_id":"h","id":"h","body":"'
        text_of $((1024 * 1024 - 8)) 'hoarded '
        printf '"}],["createNote",{"id":"edited","body":"'
        text_of 100000 'edited '
        printf '"}]]'
    } >"$folder/notes"
    post_actions "$hoarder" "@$folder/notes"
}

# So many bytes of a text, repeated.
text_of() {
    yes "$2" | tr -d '\n' | head -c "$1" || true
}

# A batch: so many times an action.
batch_of() {
    awk -v "count=$1" -v "action=$2" 'BEGIN {
        for (number = 0; number < count; number++) printf "%s%s", number ? "," : "[", action
        printf "]"
    }'
}

# Of eight callers six repeat an action, one edits an old text 500 times, and one replaces the text of 1 MB.
prepare_batches() {
    local index
    batch_of 500 '["createNote",{"action_id":"h","id":"h"}]' >"$folder/repeated"
    batch_of 500 '["updateNote",{"id":"edited","base":2,"body":["edited ",100000]}]' >"$folder/edits"
    {
        printf '[["updateNote",{"id":"h","base":1,"body":["'
        text_of 1048576 'another '
        printf '",-1048568]}]]'
    } >"$folder/texts"
    for index in {1..6}; do
        prepared_request "$hoarder" POST "/$environment/notes" "$folder/repeated"
    done
    prepared_request "$hoarder" POST "/$environment/notes" "$folder/edits"
    prepared_request "$hoarder" POST "/$environment/notes" "$folder/texts"
}

prepare_waits() {
    prepared_request '' GET "/$environment/config" '' 'Almanac-Min-Revision: 999999999'
}

# Bodies of 4 MiB that take many times as much as a tree, of several users, to each call that takes JSON of theirs.
prepare_bombs() {
    local value subject index=0 calls=('POST notes' 'PUT notes/n' 'PATCH notes/n' 'POST notes/n/restore') method path
    for value in '{}' '{}' '[]' 0 '""'; do
        bomb_of "$value" >"$folder/bomb"
        for subject in "${bombers[@]}"; do
            read -r method path <<<"${calls[index++ % ${#calls[@]}]}"
            prepared_request "$subject" "$method" "/$environment/$path" "$folder/bomb"
        done
        # The next body goes to another call first.
        index=$((index + 1))
    done
}

# An array of one value, as large as a body may be.
bomb_of() {
    local element="$1," size=$((4 * 1024 * 1024))
    printf '['
    text_of "$(((size - ${#1} - 2) / ${#element} * ${#element}))" "$element"
    printf '%s]' "$1"
}

prepare_floods() {
    prepared_request '' GET "/$environment/config?$(awk 'BEGIN { for (i = 0; i < 3200; i++) printf "%x=&", i }')z"
}

start_greedy() {
    local kind callers=()
    for kind in "${kinds[@]}"; do
        ((${greedy[$kind]} == 0)) || callers+=("$kind=${greedy[$kind]}/$pause=$folder/requests/$kind")
    done
    greedy_process=
    ((${#callers[@]} > 0)) || return 0
    # No one of them gives up before the end, when all do.
    "$folder/callers" "localhost:$plain_port" "$1" 0 "${callers[@]}" >"$folder/greedy" 2>"$folder/greedy.log" &
    greedy_process=$!
}

end_callers() {
    local pid
    for pid in "${callers_process:-}" "${greedy_process:-}"; do
        [[ -z $pid ]] || end_process "$pid" TERM 2 || true
    done
}
