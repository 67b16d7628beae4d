# shellcheck shell=bash
# Counts tests of both kinds, shell functions and Swift's, and keeps what failed for the end.

passed=0
failed=0
# A line for each part of the run: its seconds by the clock, those of the processors, and its name.
parts=()
current_part=
# What runs beside the rest of the run: of each name its process.
declare -A beside=()

# Begins a part of the run, which ends with the next one. Its processor time is all of this machine's, because much of
# what tests start is nobody's child.
begin_part() {
    end_part
    say "$1"
    current_part=$1
    part_began=${EPOCHREALTIME//[!0-9]/}
    part_worked=$(processor_time)
}

end_part() {
    [[ -n $current_part ]] || return 0
    parts+=("$(printf '%7.1f %7.1f  %s' "$(in_seconds $((${EPOCHREALTIME//[!0-9]/} - part_began)))" \
        "$(in_seconds $((($(processor_time) - part_worked) * 10000)))" "$current_part")")
    current_part=
}

# In hundredths of seconds: what processors did for users, for the kernel and for interrupts, since the machine started.
processor_time() {
    local user nice system idle waiting interrupts rest
    read -r _ user nice system idle waiting interrupts rest _ </proc/stat
    printf '%s' $((user + nice + system + interrupts + rest))
}

# Of millionths.
in_seconds() {
    printf '%s.%06d' $(($1 / 1000000)) $(($1 % 1000000))
}

show_parts() {
    end_part
    say
    say "Seconds by the clock, those that $(nproc) processors worked, and what for:"
    printf '%s\n' "${parts[@]}"
    say
}

# Runs a function beside what follows, with counts, output and a folder for results of its own. The processor time of
# its parts is that of what runs meanwhile, too.
start_beside() {
    local name=$1
    mkdir -- "$results/$name"
    (
        trap - EXIT
        run_beside "$@"
    ) </dev/null >"$results/$name/output" 2>&1 &
    beside[$name]=$!
}

run_beside() {
    local results=$results/$1 passed=0 failed=0 current_part='' parts=()
    local -A beside=()
    shift
    "$@"
    end_part
    printf '%s\n' "${parts[@]/%/ (beside others)}" >"$results/parts"
    printf '%s %s\n' "$passed" "$failed" >"$results/totals"
}

# Waits for what runs beside, and takes over what it printed and counted. Without totals it is a failure.
await_beside() {
    local name=$1 folder=$results/$1 status=0 its_passed its_failed its_parts
    [[ -n ${beside[$name]:-} ]] || return 0
    end_part
    wait "${beside[$name]}" || status=$?
    unset "beside[$name]"
    cat -- "$folder/output"
    if ((status != 0)) || ! read -r its_passed its_failed <"$folder/totals"; then
        count_failure "what ran beside, $name, ended with status $status" <(tail -n 30 "$folder/output")
        return 0
    fi
    passed=$((passed + its_passed))
    failed=$((failed + its_failed))
    mapfile -t its_parts <"$folder/parts"
    parts+=("${its_parts[@]}")
    [[ ! -s $folder/failures ]] || cat -- "$folder/failures" >>"$results/failures"
}

end_beside() {
    local pid
    for pid in "${beside[@]}"; do
        end_tree "$pid"
    done
    beside=()
}

# Runs a function as a test, with every failing command in it a failure of the test.
check() {
    local name=$1 status=0 began=$SECONDS
    shift
    (
        trap - EXIT
        trap on_check_error ERR
        "$@"
    ) >"$results/check.log" 2>&1 &
    interruptible_pid=$!
    wait "$interruptible_pid" || status=$?
    interruptible_pid=
    if ((status == 0)); then
        passed=$((passed + 1))
    else
        count_failure "$name" <(tail -n 40 "$results/check.log" | cut -c1-400)
    fi
    ((SECONDS - began < 10)) || say "  $((SECONDS - began)) s: $name"
}

# Says which command of a test failed, and where.
on_check_error() {
    local status=$? command=$BASH_COMMAND
    printf '%s, line %s: "%s" failed with status %s\n' "${BASH_SOURCE[1]##*/}" "${BASH_LINENO[0]}" "$command" "$status"
}

count_failure() {
    local name=$1 explanation=$2
    failed=$((failed + 1))
    say "FAILED $name"
    {
        printf '\nFAILED %s\n' "$name"
        sed 's/^/    /' "$explanation"
    } >>"$results/failures"
}

# Swift Testing writes its results beside the file that was asked for, XCTest into it.
count_swift_results() {
    local name=$1 status=$2 file pass_passed=0 pass_failed=0 counts
    for file in "$results"/swift.xml "$results"/swift-swift-testing.xml; do
        [[ -s $file ]] || continue
        counts=$(awk '
            /<testcase / { total++; counted = 0 }
            /<(failure|error)[ >\/]/ && !counted { failed++; counted = 1 }
            /<skipped/ { total-- }
            END { print total - failed, failed + 0 }' "$file")
        pass_passed=$((pass_passed + ${counts% *}))
        pass_failed=$((pass_failed + ${counts#* }))
    done
    passed=$((passed + pass_passed))
    say "  $pass_passed passed, $pass_failed failed"
    if ((pass_failed > 0)); then
        failed=$((failed + pass_failed))
        printf '\nFAILED %s\n' "$name" >>"$results/failures"
        grep -aE '^(✘|􀢄|\[.*\] error:|.*: error:|error: |.* FAILED)' "$results/swift.log" | sed 's/^/    /' >>"$results/failures" || true
    elif ((status != 0 || pass_passed == 0)); then
        count_failure "$name ended with status $status after $pass_passed tests" <(tail -n 30 "$results/swift.log")
    fi
}

# Also adds the totals to the file that ALMANAC_TEST_TOTALS names, for who runs several such scripts.
show_totals() {
    show_parts
    if [[ -n ${ALMANAC_TEST_TOTALS:-} ]]; then
        printf '%s %s\n' "$passed" "$failed" >>"$ALMANAC_TEST_TOTALS"
    fi
    if [[ -s $results/failures ]]; then
        cat -- "$results/failures"
        say
    fi
    say "$passed passed, $failed failed"
    ((failed == 0 && passed > 0)) || exit 1
}
