# shellcheck shell=bash
# Restarts on the host while clients of all kinds send requests (see load-clients.sh). No request may fail.

# Sets the development issuer as the identity provider for the clients' notes.
trusts_development_tokens() {
    on_host bash -c 'cd /etc/almanac && jq ".production.identity = {development: true}" environments.json >/tmp/new &&
        cat /tmp/new >environments.json'
    make_user_token
    on_host systemctl reload almanac-worker almanac-events
    await takes_user_token
    host_request /production/notes --fail -H "$(with_token user)" \
        --json '[["createNote", {"action_id": "first", "id": "first", "body": "milk"}]]' | grep '"status":"applied"'
}

make_user_token() {
    on_host almanac token user production --sub alice --scope config:read >"$results/user.token"
}

takes_user_token() {
    host_request /production/notes --fail -H "$(with_token user)"
}

start_host_load() {
    local name
    make_user_token
    on_host bash -c 'rm -rf /tmp/load && mkdir /tmp/load'
    for name in host user; do
        docker exec --interactive almanac-host tee "/tmp/load/$name.token" <"$results/$name.token" >/dev/null
    done
    : >"$results/load"
    on_host python3 /checkout/Tests/Checks/containers/load.py https://localhost:8443/production \
        /etc/almanac/tls/ca.pem /tmp/load >"$results/load" 2>&1 &
    host_load=$!
    # End the clients even if the check fails.
    trap 'on_host touch /tmp/load/enough' EXIT
    await_more_load
}

end_host_load() {
    on_host touch /tmp/load/enough
    wait "$host_load"
    sort "$results/load" | uniq -c
}

restart_under_load() {
    local unit=$1 former
    former=$(main_pid "$unit")
    on_host systemctl restart "$unit"
    [[ $(main_pid "$unit") != "$former" ]]
    await_more_load
}

nginx_has_another_process() {
    local present
    present=$(on_host cat /run/nginx.pid)
    [[ -n $present && $present != "$1" ]]
}

# Replaces nginx's processes by a reload and by an upgrade of the program (https://nginx.org/en/docs/control.html).
restart_nginx_under_load() {
    local former
    former=$(main_pid nginx.service)
    on_host systemctl reload nginx
    await_more_load
    on_host /etc/init.d/nginx upgrade
    nginx_has_another_process "$former"
    await_more_load
}

restarts_unnoticed() {
    local former
    former=$(main_pid nginx.service)
    start_host_load
    restart_under_load almanac-worker.service
    restart_under_load almanac-events.service
    restart_nginx_under_load
    restart_under_load almanac-worker.service
    restart_under_load almanac-events.service
    end_host_load
    no_request_failed 2
    # Each restart ended the streams with bye, and they reached the last change.
    (($(count_of '^stream ended with bye$') >= 4))
    # systemd follows nginx to its new process once the old one has closed its last stream.
    await is_another_process nginx.service "$former"
    on_host systemctl is-active nginx
}

is_another_process() {
    local present
    present=$(main_pid "$1")
    [[ $present != 0 && $present != "$2" ]]
}

# Closes the socket, and expects clients to see failures. Otherwise the load could not detect any.
closed_socket_is_noticed() {
    start_host_load
    on_host systemctl stop almanac-worker.service almanac-worker.socket
    await grep '^read 502$' "$results/load"
    on_host systemctl start almanac-worker.socket
    await_more_load
    end_host_load
    ! no_request_failed 0 || return 1
}

upgrades_unnoticed() {
    host_settings >"$results/settings-before"
    start_host_load
    install_on_host
    await_more_load
    end_host_load
    # Both the package and almanac-setup reload nginx.
    no_request_failed 2
    host_settings | diff "$results/settings-before" -
}
