# shellcheck shell=bash
# The statements of one updateNote, from PostgreSQL's log of a request to the worker.

# The worker's statements, in order.
expected_statements=(begin_read_write account_lock note_state note_change_text commit)

# Prints a statement: its name, then the arguments that replace $1, $2, …
statement() {
    local name=$1 text index
    shift
    text=$(<"$folder/statements/$name")
    for ((index = $#; index >= 1; index--)); do
        text=${text//"\$$index"/"${!index}"}
    done
    [[ $text != *\$[0-9]* ]] || fail "the statement $name has unknown parameters: give write_statements a value for each"
    printf '%s' "$text"
}

# Writes a pgbench script for each word that a note can contain. pgbench sends a parameter once per occurrence, and
# the casts declare the types that the worker declares.
write_pgbench_scripts() {
    local word
    for word in "${words[@]}"; do
        {
            printf '\\set subject :first_subject + :client_id + :clients * random(0, :share - 1)\n'
            printf '\\set note random(0, :notes - 1)\n'
            printf '\\set action random(1000000000000000000, 9000000000000000000)\n'
            statement begin_read_write
            printf ';\n'
            statement account_lock :issuer::text :subject::text
            printf ' \\gset account_\n'
            statement note_state :issuer::text :subject::text :note::text :action::text
            printf ';\n'
            statement note_change_text :account_id::bigint :note::text ":title_$word::text" ":body_$word::text" \
                :growth::bigint :kind::text :action::text :status::text :restored::boolean null::bigint \
                null::text null::boolean
            printf ';\n'
            statement commit
            printf ';\n'
        } >"$folder/$word.sql"
    done
}

# Makes the worker run one updateNote, and stores the statements from PostgreSQL's log.
record_statements() {
    local seen
    as_superuser <<<"alter database $database set log_statement = 'all'" >"$folder/superuser.log" 2>&1
    # A session reads the setting only at its start.
    ALMANAC_HOME=$instance "$checkout/deploy/run" --stop-service worker >/dev/null
    ALMANAC_HOME=$instance "$checkout/deploy/run" --start-service worker >/dev/null
    await_worker
    # The first request opens connections and reads the config.
    read_notes
    : >"$logs/postgres.log"
    update_once
    as_superuser <<<"alter database $database reset log_statement" >"$folder/superuser.log" 2>&1
    ALMANAC_HOME=$instance "$checkout/deploy/run" --stop-service worker >/dev/null
    ALMANAC_HOME=$instance "$checkout/deploy/run" --start-service worker >/dev/null
    await_worker
    read_notes
    seen=$(statements_of_one_session)
    if [[ $seen != "$(printf '%s\n' "${expected_statements[@]}")" ]]; then
        diff <(printf '%s\n' "${expected_statements[@]}") - <<<"$seen" >&2 || true
        fail "updateNote does not run the expected statements (> is what the worker runs): update expected_statements"
    fi
    write_statements
}

# Prints the statement names of the session that locked an account, without the worker's periodic queries.
statements_of_one_session() {
    grep -F -- "$(session)" "$logs/postgres.log" |
        sed -nE 's/.*LOG:  execute [a-z_]+: -- name: //p; s/.*LOG:  statement: //p' | grep -vE '^(config|token|migration)_'
}

# Prints the id of the session that locked an account, as in the log.
session() {
    grep -m 1 -oE '\[[0-9]+\] .*-- name: account_lock$' "$logs/postgres.log" | cut -d' ' -f1
}

# Writes each of the session's statements to its own file. In the log, continuation lines begin with a tab.
write_statements() {
    mkdir -p -- "$folder/statements"
    awk -v "session=$(session)" -v "folder=$folder/statements" '
        /^\t/ { if (file != "") print substr($0, 2) > file; next }
        { file = "" }
        index($0, session) && match($0, /LOG:  execute [a-z_]+: -- name: /) {
            file = folder "/" substr($0, RSTART + RLENGTH)
            printf "" > file
        }' "$logs/postgres.log"
}

read_notes() {
    ask_instance "/$environment/notes" -o "$folder/answer.json" \
        -H "Authorization: Bearer $(<"$folder/tokens/${first_subjects[worker]}")"
}

await_worker() {
    local deadline=$((SECONDS + 15))
    until ask_instance "/$environment/config" -o /dev/null 2>/dev/null; do
        ((SECONDS < deadline)) || fail "the worker does not answer"
        sleep 0.05
    done
}
