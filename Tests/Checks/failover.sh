# shellcheck shell=bash
# A failover with each kind of replication, and a host that dies. Tests/Failover has longer runs of both.

check_failover() {
    begin_part "Failover"
    if ((EUID != 0)); then
        warn "failover tests are left out: they need root, to run PostgreSQL as its user"
        return 0
    fi
    check "the programs of the failover tests are there" gather_failover_programs
    check "a failover loses nothing that it should not, and leaves nobody wrong" run_failover_test run 1
    check "a host that dies loses nothing, and leaves nobody wrong" run_failover_test hosts 1
}

# Links the programs of the failover tests. Asking the compiler for its folder would wait for concurrent Swift tests.
gather_failover_programs() {
    mkdir -- "$results/failover-bin"
    ln -s -- "$bin"/almanac{,-worker,-events} "$results/failover-bin"
    ln -s -- "$checkout/.build/debug/almanac-failover-clients" "$results/failover-bin"
    [[ -x $results/failover-bin/almanac-failover-clients ]]
}

run_failover_test() {
    ALMANAC_DRILL_BIN=$results/failover-bin "$checkout/Tests/Failover/$1" "${@:2}"
}
