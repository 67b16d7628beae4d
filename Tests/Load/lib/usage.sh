# shellcheck shell=bash
# Processor time and memory of a process.

# VmRSS, in KiB.
resident_memory_of() {
    awk '/^VmRSS:/ { print $2 }' "/proc/$1/status"
}

# Processor time used so far, in ticks of 10 ms: user and system, of all threads.
processor_ticks_of() {
    awk '{ print $14 + $15 }' "/proc/$1/stat"
}

# The same with that of its children, of those too that have ended and been waited for.
processor_ticks_of_tree() {
    local child sum
    sum=$(awk '{ print $14 + $15 + $16 + $17 }' "/proc/$1/stat")
    for child in $(children_of "$1"); do
        sum=$((sum + $(processor_ticks_of "$child" 2>/dev/null || printf 0)))
    done
    printf '%s\n' "$sum"
}
