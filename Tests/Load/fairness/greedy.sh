# shellcheck shell=bash
# Greedy callers. Their requests are prepared once, as bytes.

searcher=searcher
hoarder=hoarder
editor=editor
bombers=(bomber-1 bomber-2 bomber-3 bomber-4)

prepare_greedy() {
    local subject
    for subject in "$searcher" "$hoarder" "$editor" "${bombers[@]}"; do
        user_token "$subject" >"$folder/tokens/$subject"
    done
    make_notes_of_searcher
    make_notes_of_hoarder
    make_note_of_editor
    make_flags
    prepare_searches >"$folder/requests/searches"
    prepare_batches >"$folder/requests/batches"
    prepare_waits >"$folder/requests/waits"
    prepare_bombs >"$folder/requests/bombs"
    prepare_floods >"$folder/requests/floods"
    prepare_rules >"$folder/requests/rules"
    prepare_edits >"$folder/requests/edits"
    prepare_keys >"$folder/requests/keys"
}

# Creates 2,000 notes of 300 words. All words begin with an a.
make_notes_of_searcher() {
    local part
    # A batch stops after 5 s, which is enough for 100 notes even on a slow disk.
    for ((part = 0; part < 20; part++)); do
        awk -v "part=$part" 'BEGIN {
            for (number = 0; number < 100; number++) {
                printf "%s[\"createNote\",{\"id\":\"%d-%d\",\"title\":\"about\",\"body\":\"", number ? "," : "[", part, number
                for (word = 0; word < 300; word++) printf "a%d ", ((part * 100 + number) * 300 + word) % 5000
                printf "\"}]"
            }
            printf "]"
        }' >"$folder/notes"
        post_actions "$searcher" "@$folder/notes"
    done
}

prepare_searches() {
    prepared_request "$searcher" GET "/$environment/notes?q=$(awk 'BEGIN { for (i = 0; i < 32; i++) printf "%sa*", (i ? "+" : "") }')"
}

# Creates a note of 1 MB, whose action is repeated later, and a note of 100 KB, which is edited later.
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

# Prints a number of bytes of a repeated text: bytes, text.
text_of() {
    yes "$2" | tr -d '\n' | head -c "$1" || true
}

# Prints a batch that repeats an action: count, action.
batch_of() {
    awk -v "count=$1" -v "action=$2" 'BEGIN {
        for (number = 0; number < count; number++) printf "%s%s", number ? "," : "[", action
        printf "]"
    }'
}

# Prepares batches for eight callers: six repeat an action, one makes 500 edits, and one replaces a long text.
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

# Prepares 4 MiB bodies that need much more memory once parsed, from several users, for each call with JSON.
prepare_bombs() {
    local value subject index=0 calls=('POST notes' 'PUT notes/n' 'PATCH notes/n' 'POST notes/n/restore') method path
    for value in '{}' '{}' '[]' 0 '""'; do
        bomb_of "$value" >"$folder/bomb"
        for subject in "${bombers[@]}"; do
            read -r method path <<<"${calls[index++ % ${#calls[@]}]}"
            prepared_request "$subject" "$method" "/$environment/$path" "$folder/bomb"
        done
        # The next body begins with another call.
        index=$((index + 1))
    done
}

# Prints an array that repeats a value, of the largest allowed size.
bomb_of() {
    local element="$1," size=$((4 * 1024 * 1024))
    printf '['
    text_of "$(((size - ${#1} - 2) / ${#element} * ${#element}))" "$element"
    printf '%s]' "$1"
}

prepare_floods() {
    prepared_request '' GET "/$environment/config?$(awk 'BEGIN { for (i = 0; i < 3200; i++) printf "%x=&", i }')z"
}

# Stores 1,000 public flags that each look for a group of the caller.
make_flags() {
    awk 'BEGIN {
        printf "{\"metadata\":{\"almanac.public\":true},\"flags\":{"
        for (number = 0; number < 1000; number++)
            printf "%s\"flag-%d\":{\"state\":\"ENABLED\",\"variants\":{\"on\":true,\"off\":false},\"defaultVariant\":\"off\",\"targeting\":{\"if\":[{\"in\":[\"group-7\",{\"var\":\"groups\"}]},\"on\",\"off\"]}}",
                number ? "," : "", number
        printf "}}"
    }' >"$folder/flags"
    ask_instance "/$environment/flags.json?fractional=3" -X PUT -o "$folder/answer.json" -H 'Content-Type: application/json' \
        -H "Authorization: Bearer $(<"$instance/tokens/$environment.token")" --data "@$folder/flags" ||
        fail "the flags were refused: $(<"$folder/answer.json")"
}

# Prepares anonymous evaluations of all flags for a long context, and a reader's explanations of costly rules. The
# rules double a value at each step, nest a value up to their limit of steps, compare it with a number of 1 MB, and
# split callers by a long list.
prepare_rules() {
    local reader path=/$environment/flags/flag-0/explain name
    reader="Authorization: Bearer $(<"$instance/tokens/$environment.token")"
    awk 'BEGIN {
        printf "{\"context\":{\"targetingKey\":\"u1\",\"groups\":[\"g0\""
        for (number = 1; number < 90000; number++) printf ",\"g%d\"", number
        printf "]}}"
    }' >"$folder/context"
    explanation_of "$(repeated '1' 30)" '[{"var":"accumulator"},{"var":"accumulator"}]' >"$folder/doubling"
    explanation_of "$(repeated '0' 1400)" "$(text_of 50 '[')"'{"var":"accumulator"}'"$(text_of 50 ']')" >"$folder/nesting"
    {
        printf '{"context":{"number":'
        text_of 1000000 7
        printf '},"definition":{"state":"ENABLED","variants":{"on":true,"off":false},"targeting":{"if":[{"or":[%s]},"on","off"]}}}' \
            "$(repeated '{"==":[{"var":"number"},{"cat":[{"var":"number"},1]}]}' 100)"
    } >"$folder/digits"
    prepared_request '' POST "/$environment/ofrep/v1/evaluate/flags" "$folder/context"
    for name in doubling nesting digits; do
        prepared_request '' POST "$path" "$folder/$name" "$reader"
    done
}

# Prints the request body for an explanation of a rule that reduces a list: elements, step expression.
explanation_of() {
    printf '{"definition":{"state":"ENABLED","variants":{"on":true,"off":false},"targeting":{"if":[{"==":[{"reduce":[[%s],%s,"x"]},1]},"on","off"]}}}' \
        "$1" "$2"
}

# Prints copies of a text, separated by commas: text, count.
repeated() {
    awk -v "text=$1" -v "count=$2" 'BEGIN { for (number = 0; number < count; number++) printf "%s%s", number ? "," : "", text }'
}

# Creates a note of 900 KB in lines, and prepares 60 edits of its first revision, which has many successors.
make_note_of_editor() {
    awk 'BEGIN {
        printf "[[\"createNote\",{\"action_id\":\"c\",\"id\":\"long\",\"body\":\""
        for (line = 0; line < 15000; line++) printf "Line %05d of a long note, as people write them, 60 bytes.\\n", line
        printf "\"}]]"
    }' >"$folder/notes"
    post_actions "$editor" "@$folder/notes"
}

prepare_edits() {
    awk 'BEGIN {
        printf "["
        for (edit = 0; edit < 60; edit++)
            printf "%s[\"updateNote\",{\"id\":\"long\",\"base\":1,\"body\":[%d,\"edit %d \"]}]", edit ? "," : "", edit * 14000, edit
        printf "]"
    }' >"$folder/actions"
    prepared_request "$editor" POST "/$environment/notes" "$folder/actions"
}

# Prepares a dry run of a patch, and a batch of actions, each of 3.9 MB with as many members as fit.
prepare_keys() {
    awk 'BEGIN {
        printf "{\"k\":1"
        for (number = 0; number < 300000; number++) printf ",\"k%06d\":1", number
        printf "}"
    }' >"$folder/names"
    { printf '[["createNote",' && cat -- "$folder/names" && printf ']]'; } >"$folder/actions"
    prepared_request '' PATCH "/$environment/config?dry_run=true" "$folder/names" \
        "Authorization: Bearer $(<"$instance/tokens/$environment.token")"
    prepared_request "${bombers[0]}" POST "/$environment/notes" "$folder/actions"
}

start_greedy() {
    local kind callers=()
    for kind in "${kinds[@]}"; do
        ((${greedy[$kind]} == 0)) || callers+=("$kind=${greedy[$kind]}/$pause=$folder/requests/$kind")
    done
    greedy_process=
    ((${#callers[@]} > 0)) || return 0
    # The time limit of 0 makes callers wait for responses until the end of the run, at which all stop.
    "$folder/callers" "localhost:$plain_port" "$1" 0 "${callers[@]}" >"$folder/greedy" 2>"$folder/greedy.log" &
    greedy_process=$!
}

end_callers() {
    local pid
    for pid in "${callers_process:-}" "${greedy_process:-}"; do
        [[ -z $pid ]] || end_process "$pid" TERM 2 || true
    done
}
