# shellcheck shell=bash
# A failover with each kind of replication, and a host that dies. Tests/Failover has longer runs of both.

check_failover() {
    begin_part "Failover"
    if ((EUID != 0)); then
        warn "drills of failovers are left out: they need root, to run PostgreSQL as its user"
        return 0
    fi
    check "the programs of the drills are there" gather_drill_programs
    check "a failover loses nothing that it should not, and leaves nobody wrong" drill run 1
    check "a host that dies loses nothing, and leaves nobody wrong" drill hosts 1
}

# Links the drill's programs. Asking the compiler for its folder would wait for concurrent Swift tests.
gather_drill_programs() {
    mkdir -- "$results/drill"
    ln -s -- "$bin"/almanac{,-worker,-events} "$results/drill"
    ln -s -- "$checkout/.build/debug/almanac-failover-clients" "$results/drill"
    [[ -x $results/drill/almanac-failover-clients ]]
}

drill() {
    ALMANAC_DRILL_BIN=$results/drill "$checkout/Tests/Failover/$1" "${@:2}"
}
