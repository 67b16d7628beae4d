# shellcheck shell=bash
# The measurements, and their comparison with the goal.

sides=(worker pgbench)
declare -A rates=()
worker_ticks=0 worker_actions=0
declare -A size=()

# Measures both sides in each round. The sides swap their order after each round.
measure_rounds() {
    local round side order=("${sides[@]}")
    even_out_tables
    measure_size before
    say "Measuring $rounds rounds of 2 times $seconds s, $connections clients, $accounts accounts a side, load average $(cut -d' ' -f1-3 /proc/loadavg)."
    for side in "${sides[@]}"; do
        "load_by_$side" 1 >/dev/null
    done
    for ((round = 1; round <= rounds; round++)); do
        for side in "${order[@]}"; do
            measure_one "$side"
        done
        order=("${order[1]}" "${order[0]}")
    done
    even_out_tables
    measure_size after
}

# Reads the bytes of the database and of its log so far, and the number of all changes.
measure_size() {
    read -r "size[$1_database]" "size[$1_log]" "size[$1_changes]" <<<"$(ask_database "select
        pg_database_size(current_database()) || ' ' || pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') || ' ' ||
        (select sum(revision) from accounts)")"
}

# Prints how many bytes each change has added.
growth_of() {
    calculate 'a / b' $((size[after_$1] - size[before_$1])) $((size[after_changes] - size[before_changes])) %.0f
}

# Points psql and pgbench to the database, with the worker's role.
point_at_database() {
    export PGHOST=$sockets/postgres PGPORT=5432 PGUSER=${database}_worker PGDATABASE=$database PGPASSFILE=$folder/worker.pgpass
    (umask 077 && printf '*:*:*:*:%s\n' "$(<"$secrets/worker.password")" >"$PGPASSFILE")
}

# Gives each measured side the same tables: without dead rows, and right after a checkpoint.
even_out_tables() {
    as_superuser >"$folder/superuser.log" 2>&1 <<END_OF_SCRIPT
\\connect $database
vacuum (analyze) accounts, notes, note_revisions, note_actions;
checkpoint;
END_OF_SCRIPT
}

# Measures one side.
measure_one() {
    local side=$1 before count rate ticks
    even_out_tables
    before=$(changes_of "$side")
    ticks=$(processor_ticks_of "$worker")
    read -r count rate <<<"$("load_by_$side" "$seconds")"
    [[ -n $rate ]] || fail "$side did not finish"
    # The database may have more changes, made by requests in flight at the end, but never fewer.
    if (($(changes_of "$side") - before < count)); then
        fail "$side counted $count changes, and the database has $(($(changes_of "$side") - before))"
    fi
    rates[$side]+="$rate "
    if [[ $side == worker ]]; then
        worker_ticks=$((worker_ticks + $(processor_ticks_of "$worker") - ticks))
        worker_actions=$((worker_actions + count))
    fi
}

# Both functions below print the number of actions and the rate per second.

load_by_worker() {
    local output threads=$((connections < 2 ? 1 : 2))
    write_state_of_accounts
    output=$(wrk -t "$threads" -c "$connections" -d "${1}s" --timeout 10s -s "$here/update.lua" \
        "https://localhost:$instance_port/$environment/notes" -- \
        "$folder/accounts" "$threads" "${#title_before}" "${#body_before}" "${#body_after}" 2>"$folder/refused")
    if grep -qE 'Non-2xx|Socket errors' <<<"$output" || ! grep -q '^Refused: 0$' <<<"$output"; then
        printf '%s\n' "$output" >&2
        show_tail "$folder/refused" 3
        show_tail "$logs/worker.log" 3
        fail "the worker failed"
    fi
    awk '/ requests in / { count = $1 } /^Requests\/sec:/ { print count, $2 }' <<<"$output"
}

load_by_pgbench() {
    local word definitions=() scripts=()
    for word in "${words[@]}"; do
        definitions+=(-D "title_$word=$(title_with "$word")" -D "body_$word=$(body_with "$word")")
        scripts+=(-f "$folder/$word.sql")
    done
    "$postgres_bin/pgbench" -n -M prepared -c "$connections" -j "$((connections < 2 ? 1 : 2))" -T "$1" "${scripts[@]}" \
        "${definitions[@]}" -D "first_subject=${first_subjects[pgbench]}" -D "clients=$connections" \
        -D "share=$((accounts / connections))" -D "notes=$notes" -D "issuer=$issuer" -D growth=0 -D kind=updateNote \
        -D status=applied -D restored=false >"$folder/pgbench.log" 2>&1 || pgbench_failed
    awk '/^number of transactions actually processed:/ { count = $NF } /^tps = / { print count, $3 }' "$folder/pgbench.log"
}

pgbench_failed() {
    show_tail "$folder/pgbench.log"
    fail "pgbench failed"
}

print_report() {
    local side
    printf '\n'
    for side in "${sides[@]}"; do
        printf '%-16s %8.0f actions/s (rounds: %s)\n' "$([[ $side == worker ]] && printf almanac-worker || printf pgbench)" \
            "$(median <<<"${rates[$side]}")" "${rates[$side]% }"
    done
    ratio=$(calculate 'a / b' "$(median <<<"${rates[worker]}")" "$(median <<<"${rates[pgbench]}")" %.3f)
    printf '%-16s %8s of the medians\n\n' ratio "$ratio"
    printf 'Each action: %d statements, in %d round trips by pgbench and in 2 by the worker; fsync %s, synchronous_commit %s.\n' \
        "${#expected_statements[@]}" "${#expected_statements[@]}" "$(ask_database 'show fsync')" "$(ask_database 'show synchronous_commit')"
    printf 'almanac-worker: %s µs of processor time per action, resident %s MB after its start, %s MB after load.\n' \
        "$(calculate 'a * 10000 / b' "$worker_ticks" "$worker_actions" %.0f)" \
        "$(calculate 'a / 1024' "$memory_at_start" 0 %.1f)" "$(calculate 'a / 1024' "$(resident_memory_of "$worker")" 0 %.1f)"
    printf 'Each action adds %s bytes to the database and %s bytes to the write-ahead log.\n' "$(growth_of database)" \
        "$(growth_of log)"
    printf 'Load average: %s\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
}

judge() {
    is_true 'a >= b' "$ratio" 0.85 || miss_goals "$ratio of 0.85"
    say "The goal, 0.85, is met."
}
