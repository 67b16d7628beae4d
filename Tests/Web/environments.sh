# shellcheck shell=bash
# Places for the browser tests. A place has an instance with all environments that the tests need, an identity provider,
# and a Chromium profile that trusts the instance.

# Creates a place. Arguments: its folder, the instance's port, the port for the faulty provider of adrift.
make_place() {
    local place=$1 port=$2 adrift=$3
    mkdir -p -- "$place"
    start_instance_with_pages "$place" "$port"
    furnish_place "$place" "$place/instance" "$adrift"
}

# Adds the provider, the environments and the profile to a place. Arguments: its folder, the home of a running instance,
# the port for the faulty provider of adrift.
furnish_place() {
    local place=$1 adrift=$3
    mkdir -p -- "$place"
    [[ $2 == "$place/instance" ]] || ln -s -- "$2" "$place/instance"
    ALMANAC_HOME=$2 lay_out
    add_environments_of_tests "$place" "$adrift"
    prepare_browser_profile "$tls/ca.pem" "$place/chromium"
    printf '%s\n' "$adrift" >"$place/adrift"
}

end_place() {
    local place=$1
    [[ ! -d $place/provider ]] || provider_of_tests stop "$place/provider" || true
    # The instance of --home is a link here, and keeps running.
    [[ -L $place/instance || ! -d $place/instance/run ]] ||
        ALMANAC_HOME=$place/instance "$checkout/deploy/run" --stop >/dev/null || true
}

# Starts an instance. Its output is stored, because its last line is the link that opens the console.
start_instance_with_pages() {
    local place=$1 port=$2
    if ! ALMANAC_HOME=$place/instance ALMANAC_PORT=$port "$checkout/deploy/run" --detach >"$place/welcome" 2>&1; then
        show_tail "$place/welcome" 20
        fail "the instance of the tests did not start"
    fi
}

provider_of_tests() {
    ALMANAC_TEST_HOME=${ALMANAC_TEST_HOME:-$checkout/.build} \
        ALMANAC_TEST_CONSOLE=https://console.localhost:${port:-} \
        ALMANAC_TEST_NOTES=https://notes.localhost:${port:-} \
        ALMANAC_TEST_PROVIDER=$checkout/Tests/Web/provider \
        "$checkout/Tests/Domains/OpenIDConnectTests/provider/provider.sh" "$@"
}

# Adds the environments. live needs a token and has the colours of production; plenty is filled to an environment's
# limits; staging takes files of 1 MiB at most; users sign in to people with the provider; the test runs the provider of
# adrift, which is mostly down.
add_environments_of_tests() {
    local place=$1 adrift=http://127.0.0.1:$2 port issuer
    port=$(<"$run/port")
    issuer=$(provider_of_tests start "$place/provider") || fail "the identity provider of the tests did not start"
    (umask 077 && printf 'only-for-tests-on-loopback' >"$secrets/browser-client")
    ((EUID != 0)) || chown "$web_user:" "$secrets/browser-client"
    add_environment live token --development-identity
    add_environment plenty public --development-identity
    add_environment people token --issuer "$issuer" --audience https://notes.example.com
    add_environment adrift token --issuer "$adrift" --audience https://notes.example.com
    jq --arg issuer "$issuer" --arg adrift "$adrift" --arg secret "$secrets/browser-client" '
        def client($issuer): .identity += {issuer: $issuer, client_id: "almanac-pages", client_secret_file: $secret};
        .development.console += {color: "#1d7a46"} | .staging.console += {color: "#8a5a00"}
        | .staging.limits.attachment_bytes = 1048576
        | .live.console += {color: "#b3261e", caution: true}
        | .people |= client($issuer) | .adrift |= client($adrift)
        | .people.operators = {claim: "groups", admin: ["ops"], "config:read": ["everyone"]}
        | .adrift.operators = .people.operators' "$environments_file" >"$place/environments.json"
    cat -- "$place/environments.json" >"$environments_file"
    ALMANAC_HOME=$named_home "$checkout/deploy/run" --reload >"$place/reload.log" 2>&1 ||
        { show_tail "$place/reload.log" && fail "the instance refuses the environments of the tests"; }
}

add_environment() {
    local name=$1 readers=$2
    shift 2
    [[ $(jq --arg name "$name" 'has($name)' "$environments_file") == false ]] || return 0
    almanac_on_host environment add "$name" --config-read "$readers" "$@" >"$place/environment.log" 2>&1 ||
        { show_tail "$place/environment.log" && fail "the environment $name could not be made"; }
    almanac_on_host token create "$name" --scope admin --label "tests" --owner operator --owner-name Operator \
        --output "$tokens/$name.token" >/dev/null
}

almanac_on_host() {
    ALMANAC_ENVIRONMENTS=$environments_file ALMANAC_SQL=$checkout/sql "$bin/almanac" "$@"
}
