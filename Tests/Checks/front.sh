# shellcheck shell=bash
# nginx behind a proxy, the operator's settings of front.sh, and streams over a reload, on the instance under test.

check_front() {
    check "without a setting, nobody's X-Forwarded-For is believed" believes_nobody
    check "X-Forwarded-For of a named proxy is believed, and no forged one" believes_named_proxy
    check "health is not for the callers of a proxy on this host" hides_health_behind_proxy
    check "the container's nginx takes the address from the PROXY protocol of a named proxy only" \
        believes_proxy_protocol
    check "HSTS is off for subdomains, and the operator's choice" sends_chosen_hsts
    check "settings that nginx would misunderstand are refused" refuses_front_settings
}

# The folders of nginx processes that the end of a check stops.
sites=()

# Starts an nginx in front of an address, which adds its caller's address to X-Forwarded-For: the address.
start_front() {
    front=$home/front-$RANDOM
    take_free_port front_port 19500
    mkdir -- "$front"
    cat >"$front/nginx.conf" <<END
pid $front/pid;
events {}
http {
    access_log off;
    client_body_temp_path $front/body;
    proxy_temp_path $front/proxy;
    fastcgi_temp_path $front/fastcgi;
    uwsgi_temp_path $front/uwsgi;
    scgi_temp_path $front/scgi;
    server {
        listen 127.0.0.1:$front_port;
        location / {
            proxy_pass $1;
            proxy_set_header Host \$host;
            proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;
        }
    }
}
END
    run_site "$front"
}

# Runs nginx with the files in a folder, which its user can enter, until the end of the check.
run_site() {
    sites+=("$1")
    trap stop_sites EXIT
    PATH=$PATH:/usr/sbin:/sbin command nginx -p "$1" -e "$1/error.log" -c "$1/nginx.conf" "${@:2}"
}

stop_sites() {
    local site
    for site in "${sites[@]}"; do
        end_process "$(<"$site/pid")" TERM 10
        rm -rf -- "$site"
    done
}

# Runs another nginx with this instance's configuration and settings, on $site_port: settings for the environment.
start_instance_site() {
    local -x "$@"
    site=$home/site-$RANDOM
    take_free_port site_port 19600
    mkdir -- "$site"
    cp -- "$home"/nginx/*.conf "$site/"
    check_front_settings
    render_front_settings >"$site/front.conf"
    sed -i -e "s#:$port #:$site_port #" -e "s#$home/nginx/#$site/#g; s#$home/nginx\"#$site\"#g" \
        -e "s#$home/log/#$site/#g; s#$home/run/nginx.pid#$site/pid#; s# buffer=64k flush=1s##" \
        "$site"/{nginx,pages}.conf
    run_site "$site"
}

# Runs nginx as in the container, on $site_port: settings for the environment.
start_container_site() {
    site=$home/container-$RANDOM
    take_free_port site_port 19600
    mkdir -p -- "$site"/{run,cache}
    cp -- "$checkout"/deploy/nginx/{*.conf,pages.conf.template} "$checkout/deploy/containers/nginx.conf" "$site/"
    # The image changes the files like this (deploy/containers/Dockerfile).
    sed -i -E 's/^fastcgi_pass (almanac_[a-z]+);/fastcgi_pass $\1;/' "$site"/almanac-*.conf
    sed -e "s#/run/almanac/#$site/run/#; s#/usr/lib/almanac/#$checkout/deploy/lib/#; s#/etc/nginx/#$site/#" \
        -e "s#/usr/share/almanac/www#$home/www#; s#8443#$site_port#; s#^exec nginx .*##" \
        "$checkout/deploy/containers/nginx.sh" >"$site/nginx.sh"
    env ALMANAC_CONSOLE=console.localhost ALMANAC_NOTES=notes.localhost "$@" bash "$site/nginx.sh" || return
    sed -i -e "s#/run/almanac/nginx.pid#$site/pid#; s#/run/almanac/#$site/run/#; s#/var/cache/nginx/#$site/cache/#" \
        -e "s#/usr/share/almanac/www#$home/www#; s#/tls/#$tls/#; s#/dev/stdout#$site/nginx-access.log#" \
        -e "s#default worker:9000#default unix:$worker_socket#; s#default events:9001#default unix:$events_socket#" \
        -e "s#listen 127.0.0.1:8080#listen unix:$site/health#" "$site/nginx.conf"
    if ((EUID == 0)); then
        chown -R "$web_user" "$site/cache"
        run_site "$site" -g "user $web_user;"
    else
        run_site "$site"
    fi
}

# Waits until the site has logged a path with the caller's address: the path, the address.
logs_caller() {
    local deadline=$((SECONDS + 20))
    until grep -F "\"path\":\"$1\"" "$site/nginx-access.log" | tee "$results/lines" | grep -F '"remote":"'; do
        ((SECONDS < deadline))
        sleep 0.05
    done
    cat -- "$results/lines"
    ! grep -vF "\"remote\":\"$2\"" "$results/lines" || return 1
}

# Sends a request through the proxy as another caller than this host: the path, further options of curl.
through_front() {
    local path=$1
    shift
    curl -sS --max-time 20 --noproxy '*' --interface 127.0.0.2 "$@" "http://127.0.0.1:$front_port$path"
}

# Sends a request to the site as a caller that is no proxy.
directly() {
    local path=$1
    shift
    curl -sS --max-time 20 --noproxy '*' --cacert "$tls/ca.pem" --interface 127.0.0.3 \
        --resolve "localhost:$site_port:127.0.0.1" "$@" "https://localhost:$site_port$path"
}

believes_nobody() {
    start_instance_site
    start_front "https://127.0.0.1:$site_port"
    directly /development/one -H 'X-Forwarded-For: 203.0.113.9'
    logs_caller /development/one 127.0.0.3
    through_front /development/two
    logs_caller /development/two 127.0.0.1
}

believes_named_proxy() {
    start_instance_site ALMANAC_PROXIES=127.0.0.1
    start_front "https://127.0.0.1:$site_port"
    through_front /development/three
    logs_caller /development/three 127.0.0.2
    # The proxy adds the caller's address behind the forged one.
    through_front /development/four -H 'X-Forwarded-For: 203.0.113.9'
    logs_caller /development/four 127.0.0.2
    directly /development/five -H 'X-Forwarded-For: 203.0.113.9'
    logs_caller /development/five 127.0.0.3
}

hides_health_behind_proxy() {
    hides_health
    hides_health ALMANAC_PROXIES=127.0.0.1
}

hides_health() {
    local path
    start_instance_site "$@"
    start_front "https://127.0.0.1:$site_port"
    for path in /-/ready /-/metrics /-/events/ready; do
        [[ $(through_front "$path" -o /dev/null -w '%{http_code}') == 403 ]]
        [[ $(through_front "$path" -H 'X-Forwarded-For: 127.0.0.1' -o /dev/null -w '%{http_code}') == 403 ]]
    done
    directly /-/ready -o /dev/null -w '%{http_code}' --interface 127.0.0.1 | grep '^200$'
}

# Sends a request behind a line of the PROXY protocol, and prints the response: the own address, the path.
with_proxy_line() {
    python3 - "$1" "$site_port" "$tls/ca.pem" "$2" <<'END'
import socket, ssl, sys

address, port, authority, path = sys.argv[1:]
connection = socket.create_connection(("127.0.0.1", int(port)), timeout=20, source_address=(address, 0))
connection.sendall(b"PROXY TCP4 203.0.113.9 192.0.2.1 40000 443\r\n")
context = ssl.create_default_context(cafile=authority)
with context.wrap_socket(connection, server_hostname="localhost") as stream:
    stream.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    while part := stream.recv(65536):
        sys.stdout.buffer.write(part)
END
}

believes_proxy_protocol() {
    start_container_site ALMANAC_PROXIES=127.0.0.2 ALMANAC_PROXY_PROTOCOL=on
    with_proxy_line 127.0.0.2 /development/config | grep '^HTTP/1.1 200'
    logs_caller /development/config 203.0.113.9
    with_proxy_line 127.0.0.4 /development/six
    logs_caller /development/six 127.0.0.4
    # A connection without the protocol is closed.
    ! directly /development/config || return 1
}

hsts_of() {
    directly / -o /dev/null -D - -H "Host: $1" | tr -d '\r' | sed -n 's/^strict-transport-security: //ip'
}

sends_chosen_hsts() {
    start_instance_site
    [[ $(hsts_of api.example.com) == max-age=63072000 ]]
    [[ $(hsts_of localhost) == max-age=300 ]]
    start_container_site 'ALMANAC_HSTS=max-age=600; includeSubDomains'
    [[ $(hsts_of api.example.com) == 'max-age=600; includeSubDomains' ]]
    start_instance_site ALMANAC_HSTS=off
    [[ -z $(hsts_of api.example.com) ]]
}

refuses_front_settings() {
    local setting
    for setting in 'ALMANAC_PROXIES=10.0.0.5; deny all' ALMANAC_PROXIES=0.0.0.0/0 ALMANAC_PROXIES=proxy \
        'ALMANAC_HSTS=max-age=1"; x "' ALMANAC_HSTS=always; do
        fails_with "${setting%%=*} must (name addresses|be off)" env ALMANAC_HOME="$results/nowhere" \
            ALMANAC_PORT="$(free_port 18900)" "$setting" "$checkout/deploy/run" --detach
        [[ ! -e $results/nowhere ]]
    done
    fails_with 'ALMANAC_PROXY_PROTOCOL needs the addresses' start_container_site ALMANAC_PROXY_PROTOCOL=on
    rm -rf -- "$home"/container-*
}

# Opens streams that the other checks leave open, then reloads nginx.
reloads_beside_streams() {
    local number options
    for number in 1 2 3 4; do
        options=--http1.1
        ((number % 2 == 1)) || options=--http2
        curl -sSN --noproxy '*' --cacert "$tls/ca.pem" --max-time 300 "$options" \
            "$(instance_url)/development/events" >"$results/stream-$number" 2>&1 &
        printf '%s\n' "$!" >>"$results/streams"
    done
    streams_have '"type":"hello"'
    reload_nginx
    date +%s >"$results/reloaded"
}

# Waits until each of the streams has got a text.
streams_have() {
    local number deadline=$((SECONDS + 30))
    for number in 1 2 3 4; do
        until grep -F "$1" "$results/stream-$number"; do
            ((SECONDS < deadline))
            sleep 0.05
        done
    done
}

# Earlier releases cut the streams ten seconds after a reload. By now, most of this time has passed.
streams_outlive_reload() {
    local stream revision
    trap 'xargs kill <"$results/streams"' EXIT
    until (($(date +%s) > $(<"$results/reloaded") + 10)); do
        sleep 0.1
    done
    fetch /development/config/app.stream -X PUT -H "Authorization: Bearer $(<"$tokens/development.token")" \
        --json "{\"value\": $RANDOM}"
    status_is 201
    revision=$(jq .revision "$results/body")
    streams_have "\"revision\":$revision,"
    while read -r stream; do
        is_alive "$stream"
    done <"$results/streams"
}
