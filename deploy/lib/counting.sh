# shellcheck shell=bash
# Counts the shell and Swift tests, and collects failures for the end.

passed=0
failed=0
# A line per part of the run: its start, its duration in seconds, and its name.
parts=()
current_part=
run_began=${EPOCHREALTIME//[!0-9]/}
# The process id of each background job of the run, by name.
declare -A background=()
# The length of the list of the slowest tests.
slowest_count=10

# Begins a part of the run, which ends when the next one begins.
begin_part() {
    end_part
    say "$1"
    current_part=$1
    part_began=${EPOCHREALTIME//[!0-9]/}
}

end_part() {
    local now=${EPOCHREALTIME//[!0-9]/}
    [[ -n $current_part ]] || return 0
    parts+=("$(printf '%7.1f %7.1f  %s' "$(in_seconds $((part_began - run_began)))" \
        "$(in_seconds $((now - part_began)))" "$current_part")")
    current_part=
}

# Prints the processor time of this machine since it started, in hundredths of a second.
processor_time() {
    local user nice system idle waiting interrupts soft_interrupts
    read -r _ user nice system idle waiting interrupts soft_interrupts _ </proc/stat
    printf '%s' $((user + nice + system + interrupts + soft_interrupts))
}
processors_began=$(processor_time)

# Formats microseconds as seconds.
in_seconds() {
    printf '%s.%06d' $(($1 / 1000000)) $(($1 % 1000000))
}

# Records the duration of a test: its seconds, its name.
record_seconds() {
    printf '%.1f\t%s\n' "$1" "$2" >>"$results/seconds"
}

# Prints the parts of the run and its slowest tests, and writes them with all tests to a file.
show_times() {
    local file=$checkout/.build/${program##*/}-times.txt
    end_part
    sort -rn -o "$results/seconds" -- "$results/seconds" 2>/dev/null || : >"$results/seconds"
    {
        printf 'The run took %.0f s; its processors worked %.0f s.\n\n' \
            "$(in_seconds $((${EPOCHREALTIME//[!0-9]/} - run_began)))" \
            "$(in_seconds $((($(processor_time) - processors_began) * 10000)))"
        printf '%s\n' "Parts, some of them at the same time: when each began, its seconds, its name"
        printf '%s\n' "${parts[@]}" | sort -n
        printf '\n%s\n' "The slowest tests: seconds, name"
        cat -- "$results/seconds"
    } >"$file"
    say
    awk -v count="$slowest_count" '
        slow { if (++printed > count) exit }
        { print }
        /^The slowest tests/ { slow = 1 }' "$file"
    say
    say "The times of all tests are in $file"
    say
}

# Runs a function in the background, with its own counts, output and folder for results.
start_background() {
    local name=$1
    mkdir -- "$results/$name"
    (
        trap - EXIT
        run_background "$@"
    ) </dev/null >"$results/$name.output" 2>&1 &
    background[$name]=$!
}

run_background() {
    local results=$results/$1 passed=0 failed=0 current_part='' parts=()
    local -A background=()
    shift
    "$@"
    end_part
    printf '%s\n' "${parts[@]}" >"$results/parts"
    printf '%s %s\n' "$passed" "$failed" >"$results/totals"
}

# Waits for a background function, and adds its output and counts to the run. A missing total is a failure.
await_background() {
    local name=$1 folder=$results/$1 status=0 its_passed its_failed its_parts
    [[ -n ${background[$name]:-} ]] || return 0
    end_part
    wait "${background[$name]}" || status=$?
    unset "background[$name]"
    cat -- "$folder.output"
    if ((status != 0)) || ! read -r its_passed its_failed <"$folder/totals"; then
        count_failure "the background part $name ended with status $status" <(tail -n 30 "$folder.output")
        return 0
    fi
    passed=$((passed + its_passed))
    failed=$((failed + its_failed))
    mapfile -t its_parts <"$folder/parts"
    parts+=("${its_parts[@]}")
    [[ ! -s $folder/failures ]] || cat -- "$folder/failures" >>"$results/failures"
    [[ ! -s $folder/seconds ]] || cat -- "$folder/seconds" >>"$results/seconds"
}

end_background() {
    local pid
    for pid in "${background[@]}"; do
        end_tree "$pid"
    done
    background=()
}

# Runs a function as a test, which fails if any command in it fails. Prints the line of its output that begins with
# "figures", even if the test passes.
check() {
    local name=$1 status=0 figures began=${EPOCHREALTIME//[!0-9]/}
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
        ! figures=$(grep '^figures ' "$results/check.log") || say "  $name: ${figures#figures }"
    else
        count_failure "$name" <(tail -n 40 "$results/check.log" | cut -c1-400)
    fi
    record_seconds "$(in_seconds $((${EPOCHREALTIME//[!0-9]/} - began)))" "$name"
}

# Prints the command of a test that failed, and its place.
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

# Counts the results of a Swift test run. XCTest writes to the given file, Swift Testing to one beside it.
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
        [[ -n ${ALMANAC_TEST_SECONDS:-} ]] || seconds_of_cases "$file" >>"$results/seconds"
    done
    [[ -z ${ALMANAC_TEST_SECONDS:-} ]] || sums_of_cases "$ALMANAC_TEST_SECONDS" >>"$results/seconds"
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

# Prints the seconds and the name of each test in a JUnit file.
seconds_of_cases() {
    awk '
        function attribute(name) {
            if (!match($0, " " name "=\"[^\"]*\"")) return ""
            return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
        }
        /<testcase / { printf "%.1f\t%s %s\n", attribute("time"), attribute("classname"), attribute("name") }' "$1" |
        sed -e 's/&quot;/"/g; s/&apos;/'"'"'/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
}

# Prints the total seconds of each test in a file written by the tests, which has a line per case.
sums_of_cases() {
    awk -F '\t' '
        { sum[$2] += $1 }
        END { for (name in sum) printf "%.1f\t%s\n", sum[name], name }' "$1"
}

# Prints the totals, and adds them to the file in ALMANAC_TEST_TOTALS for a caller that runs several scripts.
show_totals() {
    show_times
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
