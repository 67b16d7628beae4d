# shellcheck shell=bash
# The measurement without, with and after greedy callers.

quiet_seconds=10

measure_quiet() {
    say "Measuring $quiet_seconds s without greed, load average $(cut -d' ' -f1-3 /proc/loadavg)."
    start_callers quiet "$quiet_seconds"
    finish_callers
    find_worker_now
    memory_before=$(resident_memory_of "$worker")
}

measure_greed() {
    local kind said=
    for kind in "${kinds[@]}"; do
        said+="${greedy[$kind]} $kind, "
    done
    say "Measuring $seconds s with greed: ${said}pause $pause ms."
    start_watch
    processor_before=$(processor_use)
    began_at=${EPOCHREALTIME/./}
    start_greedy "$seconds"
    start_callers greed "$seconds"
    [[ -z $greedy_process ]] || wait "$greedy_process" || fail "the greedy callers failed: $(tail -n 1 "$folder/greedy.log")"
    greedy_process=
    elapsed=$((${EPOCHREALTIME/./} - began_at))
    processor_after=$(processor_use)
    finish_callers
}

finish_callers() {
    wait "$callers_process" || fail "the callers failed: $(tail -n 1 "$folder/callers.log")"
    callers_process=
}

measure_rest() {
    say "Waiting $rest s."
    sleep "$rest"
    end_watch
    find_worker_now
    memory_after=$([[ -z $worker ]] || resident_memory_of "$worker")
    kills=$(kills_by_limit)
    check_updates
}

find_worker_now() {
    local worker_supervisor
    worker_supervisor=$(worker_pid)
    find_worker
}

# Prints the processor time so far of the workers, nginx and PostgreSQL, in ticks.
processor_use() {
    printf '%s %s %s\n' "$(processor_ticks_of_tree "$(worker_pid)")" "$(processor_ticks_of_tree "$(nginx_pid)")" \
        "$(processor_ticks_of_tree "$(postgres_pid)")"
}
