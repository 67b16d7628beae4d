# shellcheck shell=bash
# Calculations with measured numbers.

# Prints the median of the numbers on standard input.
median() {
    tr ' ' '\n' | sed '/^$/d' | sort -g | awk '{ value[NR] = $1 } END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

# Prints the value of an expression in a and b: expression, a, b, format.
calculate() {
    awk -v "a=$2" -v "b=$3" "BEGIN { printf \"$4\", ($1) }"
}

is_true() {
    [[ $(calculate "$1" "$2" "$3" %d) == 1 ]]
}

# Checks the variables seconds, rounds and connections, which hold ALMANAC_LOAD_SECONDS and so on.
check_load_settings() {
    local name
    for name in seconds rounds connections; do
        if [[ ! ${!name} =~ ^[1-9][0-9]{0,3}$ ]]; then
            fail "ALMANAC_LOAD_${name^^} must be a number from 1 to 9999, not \"${!name}\""
        fi
    done
}
