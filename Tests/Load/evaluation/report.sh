# shellcheck shell=bash
# The titles and goals of the measurement, its memory figures, and its verdict.

titles=(
    [config]='GET /config beside flags' [config_unchanged]='its 304' [single]='one flag, token'
    [public]='one flag, anybody' [bulk]='350 flags, token' [bulk_public]='350 flags, anybody' [unchanged]='their 304'
)
goals=([config]=0.9 [single]=0.8 [public]=0.8 [bulk]=0.6 [bulk_public]=0.6)

# Measures the memory that many flags in another environment add to the worker.
measure_memory() {
    local empty
    select_side worker
    end_program worker
    start_program worker
    await_answer worker
    empty=$(resident_memory_of "${pids[worker]}")
    flag_definitions "$many" >"$folder/flags.json"
    put_flags development
    end_program worker
    start_program worker
    await_answer worker
    await_many
    many_memory=$(($(resident_memory_of "${pids[worker]}") - empty))
}

# Evaluates all flags until their number is right.
await_many() {
    local deadline=$((SECONDS + 20))
    local url=http://127.0.0.1:${plain_ports[worker]}/development/ofrep/v1/evaluate/flags
    until [[ $(curl -sS --max-time 10 --data-binary "@$folder/context.json" -H 'Content-Type: application/json' "$url" |
        grep -o '"key":' | wc -l) == "$many" ]]; do
        ((SECONDS < deadline)) || fail "$many flags are not evaluated"
        sleep 0.1
    done
}

print_evaluations() {
    local per_core
    per_core=$(calculate '1000000 / a' "$(processor_time worker bulk)" 0 %.0f)
    say
    say "A processor that the worker has alone evaluates 350 flags $per_core times a second (goal: 6900)"
    if [[ " ${cases[*]} " == *' config_unchanged '* ]]; then
        say "A bulk's 304 at $(calculate 'a / b' "$(median <<<"${rates[worker unchanged]}")" \
            "$(median <<<"${rates[worker config_unchanged]}")" %.2f) of the rate of GET /config's 304"
    fi
    say "$many flags, evaluated once: $(calculate 'a / 1024' "$many_memory" 0 %.1f) MB"
}

judge() {
    local missed
    missed=$(missed_ratios)
    is_true 'a >= b' "$(calculate '1000000 / a' "$(processor_time worker bulk)" 0 %.0f)" 6900 ||
        missed+="fewer than 6900 bulk evaluations a second and processor; "
    [[ -z $missed ]] || miss_goals "${missed%; }"
    say "All goals met."
}
