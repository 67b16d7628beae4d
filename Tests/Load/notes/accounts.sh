# shellcheck shell=bash
# The users, their notes and the changes to the notes. Each side has its own users.

environment=development
database=almanac_$environment
words=(white green)
notes=10
declare -A first_subjects=([worker]=1000 [pgbench]=5000)

# The parts of a note of 2 KB before and after its one changing word.
title_before='Things to buy, '
body_before=$(printf 'item%03d ' {1..125})
body_after=$(printf ' item%03d' {126..249})

title_with() { printf '%s%s' "$title_before" "$1"; }
body_with() { printf '%s%s%s' "$body_before" "$1" "$body_after"; }

make_accounts() {
    local side index subject actions separator=
    say "Making $((2 * accounts)) users with $notes notes each."
    actions='['
    for ((index = 0; index < notes; index++)); do
        actions+="${separator}[\"createNote\",{\"id\":\"$index\",\"title\":\"$(title_with white)\",\"body\":\"$(body_with white)\"}]"
        separator=,
    done
    actions+=']'
    for side in "${sides[@]}"; do
        for ((index = 0; index < accounts; index++)); do
            subject=$((first_subjects[$side] + index))
            user_token "$subject" >"$folder/tokens/$subject"
            post_actions "$subject" "$actions"
        done
    done
    issuer=$(ask_database "select issuer from accounts limit 1")
    [[ $(ask_database "select count(*) from notes") == $((2 * accounts * notes)) ]] || fail "not all notes were made"
}

user_token() {
    ALMANAC_ENVIRONMENTS=$environments_file "$bin/almanac" token user "$environment" --sub "$1" --expires-in-minutes 1440
}

post_actions() {
    ask_instance "/$environment/notes" -o "$folder/answer.json" -H 'Content-Type: application/json' \
        -H "Authorization: Bearer $(<"$folder/tokens/$1")" --data "$2" || fail "actions were refused: $(<"$folder/answer.json")"
    ! grep -q '"rejected"' "$folder/answer.json" || fail "actions were rejected: $(<"$folder/answer.json")"
}

update_once() {
    post_actions "${first_subjects[worker]}" "[[\"updateNote\",{\"action_id\":\"first\",\"id\":\"0\",\"base\":$notes,
        \"title\":[${#title_before},-5,\"green\"],\"body\":[${#body_before},-5,\"green\",${#body_after}]}]]"
}

# Runs a query in the environment's database, with the worker's role.
ask_database() {
    psql -X -q -At -w -v ON_ERROR_STOP=1 -c "$1"
}

# Prints the number of changes that the users of a side have made.
changes_of() {
    ask_database "select sum(revision) from accounts
        where subject::int between ${first_subjects[$1]} and $((first_subjects[$1] + accounts - 1))"
}

# Prints the account lines for update.lua.
write_state_of_accounts() {
    local subject revision words_now
    ask_database "select a.subject || ' ' || a.revision || ' '
                || string_agg(substr(n.title, length(n.title) - 4), ',' order by n.id)
            from accounts a join notes n on n.account_id = a.id
            where a.subject::int between ${first_subjects[worker]} and $((first_subjects[worker] + accounts - 1))
            group by a.id order by a.id" |
        while read -r subject revision words_now; do
            printf '%s %s %s %s\n' "$subject" "$revision" "$words_now" "$(<"$folder/tokens/$subject")"
        done >"$folder/accounts"
}
