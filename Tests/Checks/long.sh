# shellcheck shell=bash
# The checks that only deploy/test --long runs, because they take minutes each and their subjects change rarely.

check_at_length() {
    check_wasm_at_length
    check_libraries_at_length
    check_load_rounds
    install_packages "${engine_packages[@]}"
    check_engines
    begin_part "Fault tests of operators"
    install_packages "${failover_packages[@]}"
    check "an operator's hour goes as the documentation says" "$checkout/Tests/Operator/hour"
    if ((EUID != 0)); then
        warn "tests of Patroni and pg_auto_failover are left out: they need root, to run PostgreSQL as its user"
        return 0
    fi
    check "the programs of the failover tests are there" gather_failover_programs
    check "Patroni promotes a standby, and nothing is lost" run_failover_test patroni
    check "pg_auto_failover promotes a standby, and nothing is lost" run_failover_test auto-failover
}
