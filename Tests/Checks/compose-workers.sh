# shellcheck shell=bash
# Workers that start, stop and restart during requests. nginx finds them by their name.

# Prints the distinct worker addresses to which nginx has had connections, from the kernel's table.
workers_that_nginx_used() {
    local id
    for _ in {1..30}; do
        answers
    done
    id=$(containers_of nginx)
    docker exec "$id" cat /proc/net/tcp | awk '$3 ~ /:2328$/ { print $3 }' | sort -u
}

three_workers_are_used() {
    [[ $(workers_that_nginx_used | wc -l) == 3 ]]
}

# Reads until $results/enough exists, and records the status of each response.
read_on() {
    local status
    until [[ -e $results/enough || ! -d $results ]]; do
        status=$(request /development/config --output /dev/null --write-out '%{http_code}') || true
        printf '%s\n' "$status" >>"$results/statuses"
    done
}

start_reading() {
    rm -f -- "$results/enough"
    : >"$results/statuses"
    trap 'touch "$results/enough"' EXIT
    readers=()
    for _ in 1 2 3; do
        read_on &
        readers+=($!)
    done
    await_more_reads
}

has_read_more_than() {
    (($(wc -l <"$results/statuses") > $1 + 12))
}

await_more_reads() {
    await has_read_more_than "$(wc -l <"$results/statuses")"
}

every_read_was_answered() {
    touch "$results/enough"
    wait "${readers[@]}"
    sort "$results/statuses" | uniq -c
    ! grep -v '^200$' "$results/statuses" || return 1
}

finds_scaled_workers() {
    start_reading
    start_all --scale worker=3
    await all_are_healthy
    await three_workers_are_used
    [[ $(containers_of worker | wc -l) == 3 ]]
    await_more_reads
    every_read_was_answered
}

restarts_workers_unnoticed() {
    local worker
    start_reading
    for worker in $(containers_of worker); do
        docker restart "$worker"
        await health_check "$worker"
        await_more_reads
    done
    every_read_was_answered
}
