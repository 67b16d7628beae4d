# shellcheck shell=bash
# The instance of the tests in a browser, and the environments that they need beside the first two.

# On a port that is free; what it prints is kept, since it ends with the link that opens the console.
start_instance_with_pages() {
    local port
    take_free_port port 19500
    if ! ALMANAC_HOME=$1 ALMANAC_PORT=$port "$checkout/deploy/run" --detach >"$folder/welcome" 2>&1; then
        show_tail "$folder/welcome" 20
        fail "the instance of the tests does not start"
    fi
}

# live is read with a token and dressed as what real users have; plenty holds as much as an environment may; people sign in
# to people at the provider of the tests; the provider of adrift is the test's own, and mostly away.
add_environments_of_tests() {
    local port adrift
    port=$(<"$run/port")
    provider=$folder/provider
    issuer=$(ALMANAC_TEST_HOME=${ALMANAC_TEST_HOME:-$checkout/.build} \
        ALMANAC_TEST_CONSOLE=https://console.localhost:$port \
        ALMANAC_TEST_NOTES=https://notes.localhost:$port \
        ALMANAC_TEST_PROVIDER=$checkout/Tests/Browser/provider \
        "$checkout/Tests/Domains/OpenIDConnectTests/provider/provider.sh" start "$provider") ||
        fail "the identity provider of the tests does not start"
    take_free_port ALMANAC_BROWSER_ADRIFT 19800
    export ALMANAC_BROWSER_ADRIFT
    adrift=http://127.0.0.1:$ALMANAC_BROWSER_ADRIFT
    (umask 077 && printf 'only-for-tests-on-loopback' >"$secrets/browser-client")
    ((EUID != 0)) || chown "$web_user:" "$secrets/browser-client"
    add_environment live token --development-identity
    add_environment plenty public --development-identity
    add_environment people token --issuer "$issuer" --audience https://notes.example.com
    add_environment adrift token --issuer "$adrift" --audience https://notes.example.com
    jq --arg issuer "$issuer" --arg adrift "$adrift" --arg secret "$secrets/browser-client" '
        def client($issuer): .identity += {issuer: $issuer, client_id: "almanac-pages", client_secret_file: $secret};
        .development.console = {color: "#1d7a46"} | .staging.console = {color: "#8a5a00"}
        | .live.console = {color: "#b3261e", caution: true}
        | .people |= client($issuer) | .adrift |= client($adrift)
        | .people.operators = {claim: "groups", admin: ["ops"], "config:read": ["everyone"]}
        | .adrift.operators = .people.operators' "$environments_file" >"$folder/environments.json"
    cat -- "$folder/environments.json" >"$environments_file"
    ALMANAC_HOME=$named_home "$checkout/deploy/run" --reload >"$folder/reload.log" 2>&1 ||
        { show_tail "$folder/reload.log" && fail "the instance does not take the environments of the tests"; }
}

add_environment() {
    local name=$1 readers=$2
    shift 2
    [[ $(jq --arg name "$name" 'has($name)' "$environments_file") == false ]] || return 0
    almanac_on_host environment add "$name" --config-read "$readers" "$@" >"$folder/environment.log" 2>&1 ||
        { show_tail "$folder/environment.log" && fail "the environment $name could not be made"; }
    almanac_on_host token create "$name" --scope admin --label "tests" --output "$tokens/$name.token" >/dev/null
}

almanac_on_host() {
    ALMANAC_ENVIRONMENTS=$environments_file ALMANAC_SQL=$checkout/sql "$bin/almanac" "$@"
}
