# shellcheck shell=bash
# The hosts of pages: their names, their certificate, and the paths for this host only.

page_host_hides_health() {
    local name
    for name in console notes; do
        url_of=https://$name.localhost:$port fetch /-/ready
        status_is 200
        for path in /-/ready /-/metrics /-/events/ready /x/../-/ready /%2d/ready; do
            url_of=https://$name.localhost:$port fetch "$path" --path-as-is \
                --resolve "$name.localhost:$port:127.0.0.1" --interface 127.0.0.2
            is_problem 403 local-only
        done
    done
}

certificate_gets_names() {
    local authority tls=$results/tls environments
    mkdir -- "$tls"
    environments=(development)
    set_page_hosts off off
    make_certificate
    authority=$(sha256sum "$tls/ca.pem")
    [[ $(present_names) == $'localhost\ndevelopment.localhost' ]]
    environments=(staging)
    set_page_hosts console.localhost notes.example.com
    make_certificate | tee "$results/said"
    grep -F 'lacks console.localhost staging.localhost' "$results/said"
    [[ $(present_names | sort | paste -sd' ') == 'console.localhost development.localhost localhost staging.localhost' ]]
    [[ $(sha256sum "$tls/ca.pem") == "$authority" && -s $tls/server.pem~ && -s $tls/server.key~ ]]
    openssl verify -CAfile "$tls/ca.pem" -verify_hostname console.localhost "$tls/server.pem"
    cp -- "$tls/server.pem" "$results/server.pem"
    make_certificate
    cmp -- "$tls/server.pem" "$results/server.pem"
    # An operator's own certificate is left alone.
    rm -f -- "$tls/ca.key"
    set_page_hosts other.localhost off
    make_certificate
    cmp -- "$tls/server.pem" "$results/server.pem"
}

# Checks that the authority can issue certificates for this host's names only, even if its key is stolen.
authority_is_constrained() {
    local name
    for name in console.localhost localhost; do
        issued_is_trusted "DNS:$name"
    done
    for name in DNS:example.com DNS:localhost.example.com DNS:notlocalhost IP:192.0.2.1; do
        ! issued_is_trusted "$name" || return 1
    done
    grep 'permitted subtree violation' "$results/verified"
}

issued_is_trusted() {
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$results/issued.key" -subj /CN=trial 2>/dev/null |
        openssl x509 -req -CA "$tls/ca.pem" -CAkey "$tls/ca.key" -days 1 -set_serial 1 -out "$results/issued.pem" \
            -extfile <(printf 'subjectAltName = %s\n' "$1") 2>/dev/null
    openssl verify -CAfile "$tls/ca.pem" "$results/issued.pem" 2>&1 | tee "$results/verified"
}

console_page_has() {
    curl -sS --noproxy '*' --cacert "$tls/ca.pem" "https://console.localhost:$port/" | grep -F "$1"
}

host_is_switched_off() {
    console_page_has /console/main.js
    (
        trap 'set_page_hosts console.localhost notes.localhost; render_nginx; reload_nginx' EXIT
        set_page_hosts off notes.localhost
        render_nginx
        reload_nginx
        await_console_page 'href="/openapi.yaml"'
        # Older nginx processes still answer for a moment.
        await_that is_no_page_host
        url_of=https://notes.localhost:$port fetch /
        has_header cross-origin-opener-policy same-origin
    )
    await_console_page /console/main.js
}

is_no_page_host() {
    on_console /development/config && status_is 200 && lacks_header cross-origin-opener-policy
}

await_console_page() {
    await_that console_page_has "$1"
}

await_that() {
    local deadline=$((SECONDS + 20))
    until "$@"; do
        ((SECONDS < deadline))
        sleep 0.1
    done
}

# Checks that wrong host names are refused before anything is created or stopped.
wrong_hosts_are_refused() {
    local folder=$results/nowhere
    while IFS='|' read -r console notes reason; do
        ! ALMANAC_HOME=$folder ALMANAC_PORT=$(free_port 18900) ALMANAC_CONSOLE=$console ALMANAC_NOTES=$notes \
            "$checkout/deploy/run" --detach >"$results/refused" 2>&1 || return 1
        grep -F "$reason" "$results/refused"
        [[ ! -e $folder ]]
    done <<'HOSTS'
a_b.localhost|notes.localhost|ALMANAC_CONSOLE must be the name of a host
console.localhost|x; root /|ALMANAC_NOTES must be the name of a host
same.localhost|same.localhost|must be different hosts
console.example.com|off|which needs a certificate of your own
localhost|off|must be another host than that of the API
HOSTS
    ! ALMANAC_CONSOLE=off "$checkout/deploy/run" --detach >"$results/refused" 2>&1 || return 1
    grep -F 'unset ALMANAC_CONSOLE, or stop the instance first' "$results/refused"
}
