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
