# shellcheck shell=bash
# The instance under test, with its cluster and passwords, and the commit of the checkout under test.

# A temporary cluster needs no fsync, because tests kill processes but don't cut the power. JIT compilation takes longer
# than it saves on the small databases of tests.
cluster_settings=('fsync = off' 'full_page_writes = off' 'max_connections = 300' 'jit = off')

start_test_instance() {
    begin_part "An instance of the programs"
    stop_services
    take_cluster_from_memory
    rm -rf -- "${home:?}"/*
    lay_out
    make_home
    put_cluster_into_memory
    take_free_port ALMANAC_PORT 18443
    start_instance
    release_lock
    write_test_passwords
    printf "create role almanac_tests_worker login password '%s' in role almanac_worker;\n" \
        "$(<"$secrets/worker.password")" | as_superuser
    export ALMANAC_HOME=$named_home ALMANAC_PORT
    export ALMANAC_TEST_HOME=$named_home ALMANAC_TEST_CHECKOUT=$checkout
    ALMANAC_TEST_URL=$(instance_url)
    export ALMANAC_TEST_URL
    export ALMANAC_TEST_CLUSTER="host='$sockets/postgres' port=5432 user=postgres dbname=postgres passfile='$secrets/test.pgpass'"
    say "The instance under test: $(instance_url), in $named_home"
}

# Mounts the cluster's folder in memory, for root and with enough memory. Tests create a thousand databases of four hundred
# files each, which a disk's file system creates more slowly than PostgreSQL does.
put_cluster_into_memory() {
    local megabytes
    megabytes=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
    ((EUID == 0 && megabytes > 12000)) || return 0
    mount -t tmpfs -o size=6g,mode=755 almanac-test-cluster "$home/postgres" 2>/dev/null ||
        warn "the test databases are on the disk, because this machine does not allow mounts"
}

take_cluster_from_memory() {
    ! mountpoint -q -- "$home/postgres" || umount --lazy -- "$home/postgres"
}

# Creates a commit of the checkout with its uncommitted changes, for the test that starts from a clean clone: the
# programs built next come from the same sources. Without the commit that test is skipped.
take_snapshot() {
    local git=(git -c "safe.directory=$checkout" -c user.name=deploy/test -c user.email=test@localhost -C "$checkout")
    export ALMANAC_TEST_COMMIT=
    if [[ $("${git[@]}" rev-parse --show-prefix 2>&1) == '' ]] &&
        GIT_INDEX_FILE=$results/index "${git[@]}" add --all &&
        ALMANAC_TEST_COMMIT=$(GIT_INDEX_FILE=$results/index "${git[@]}" write-tree) &&
        ALMANAC_TEST_COMMIT=$("${git[@]}" commit-tree -m "The checkout under test" "$ALMANAC_TEST_COMMIT"); then
        return 0
    fi
    ALMANAC_TEST_COMMIT=
    warn "$checkout is not a writable git repository, so the test of a clean clone is skipped"
}

# Writes the password file for the roles that tests connect as.
write_test_passwords() {
    (
        umask 077
        printf '*:*:*:%s:%s\n' postgres "$(<"$secrets/postgres.password")" \
            almanac_owner "$(<"$secrets/owner.password")" \
            almanac_tests_worker "$(<"$secrets/worker.password")" \
            almanac_development_worker "$(<"$secrets/worker.password")" \
            almanac_staging_worker "$(<"$secrets/worker.password")" >"$secrets/test.pgpass"
    )
}
