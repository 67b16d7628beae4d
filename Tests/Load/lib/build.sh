# shellcheck shell=bash
# The C programs of all measurements, and their builds. Needs the variable checkout and deploy/lib/messages.sh.

c_programs=(baseline callers streams allocations.so)

# Builds one of the C programs: the program's name, the output folder.
build_c_program() {
    local name=$1 target=$2/$1 load=$checkout/Tests/Load files=() options=() libraries=()
    case $name in
        baseline)
            files=("$load/baseline/baseline.c")
            libraries=(-lfcgi -lpthread)
            ;;
        callers)
            files=("$load"/fairness/*.c "$load"/lib/*.c)
            libraries=(-lssl -lcrypto -lm)
            ;;
        streams)
            files=("$load"/streams/*.c "$load"/lib/*.c)
            libraries=(-lssl -lcrypto -lm)
            ;;
        allocations.so)
            files=("$load/flags/allocations.c")
            options=(-shared -fPIC)
            ;;
        *) fail "unknown C program \"$name\"; expected one of ${c_programs[*]}" ;;
    esac
    cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror "${options[@]}" -I "$load/lib" -o "$target" "${files[@]}" \
        "${libraries[@]}" || fail "the C program $name does not build: see the compiler's messages, or apt-get install gcc libfcgi-dev libssl-dev"
}
