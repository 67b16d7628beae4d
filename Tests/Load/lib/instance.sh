# shellcheck shell=bash
# An instance of deploy/run for the time of a measurement, in $instance and on $instance_port.

# Creates `folder`, which `clean_up` deletes at the end, and sets `instance` to a path in it.
make_folder() {
    umask 022
    folder=$(mktemp -d /tmp/almanac-load-XXXXXX)
    chmod 755 "$folder"
    instance=$folder/instance
    trap_errors
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
}

start_instance() {
    say "Starting an instance."
    if ! ALMANAC_HOME=$instance ALMANAC_PORT=$instance_port "$checkout/deploy/run" --detach >"$folder/instance.log" 2>&1; then
        show_tail "$folder/instance.log"
        fail "the instance did not start"
    fi
}

stop_instance() {
    if [[ -d $instance/run ]]; then
        ALMANAC_HOME=$instance "$checkout/deploy/run" --stop >/dev/null || true
    fi
}

# Sends a request to the instance: the path, then further options of curl. Uses HTTP/1.1, because nginx may cut off a
# response over HTTP/2 while one of its workers ends, as after a reload.
ask_instance() {
    local path=$1
    shift
    curl -sS --http1.1 --fail-with-body --max-time 30 --cacert "$instance/tls/ca.pem" "$@" "https://localhost:$instance_port$path"
}

# Adds a plain HTTP port on loopback to an nginx that deploy/run has configured: the file, its port, the plain port.
listen_without_tls() {
    sed -i -E "s/^( *listen 127\.0\.0\.1:)$2 ssl.*/&\n\1$3;/" "$1"
    grep -qE "^ *listen 127\.0\.0\.1:$3;" "$1" || fail "$1 has changed: a plain port could not be set there"
}
