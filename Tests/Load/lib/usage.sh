# shellcheck shell=bash
# The processor time and memory of a process.

# Prints VmRSS, in KiB.
resident_memory_of() {
    awk '/^VmRSS:/ { print $2 }' "/proc/$1/status"
}

# Prints a process's processor time so far, user and system of all threads, in ticks of 10 ms.
processor_ticks_of() {
    awk '{ print $14 + $15 }' "/proc/$1/stat"
}

# Prints the processor time of a process and its children, including children that have ended and been waited for.
processor_ticks_of_tree() {
    local child sum
    sum=$(awk '{ print $14 + $15 + $16 + $17 }' "/proc/$1/stat")
    for child in $(children_of "$1"); do
        sum=$((sum + $(processor_ticks_of "$child" 2>/dev/null || printf 0)))
    done
    printf '%s\n' "$sum"
}
