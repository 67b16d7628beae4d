# shellcheck shell=bash
# The instance of the tests in a browser, and the environments that they need beside the first two.

# On a port that is free; what it prints is kept, since it ends with the link that opens the console.
start_instance_with_pages() {
    local port
    port=$(free_port 19500)
    if ! ALMANAC_HOME=$1 ALMANAC_PORT=$port "$checkout/deploy/run" --detach >"$folder/welcome" 2>&1; then
        show_tail "$folder/welcome" 20
        fail "the instance of the tests does not start"
    fi
}

free_port() {
    local candidate=$1
    while { : <"/dev/tcp/127.0.0.1/$candidate"; } 2>/dev/null; do
        candidate=$((candidate + 1))
    done
    printf '%s\n' "$candidate"
}

# live is read with a token and dressed as what real users have; plenty holds as much as an environment may.
add_environments_of_tests() {
    local name
    for name in live plenty; do
        [[ $(jq --arg name "$name" 'has($name)' "$environments_file") == false ]] || continue
        almanac_on_host environment add "$name" --config-read "$([[ $name == live ]] && echo token || echo public)" \
            --development-identity >"$folder/environment.log" 2>&1 ||
            { show_tail "$folder/environment.log" && fail "the environment $name could not be made"; }
        almanac_on_host token create "$name" --scope admin --label "tests" --output "$tokens/$name.token" >/dev/null
    done
    jq '.development.console = {color: "#1d7a46"} | .staging.console = {color: "#8a5a00"}
        | .live.console = {color: "#b3261e", caution: true}' "$environments_file" >"$folder/environments.json"
    cat -- "$folder/environments.json" >"$environments_file"
    ALMANAC_HOME=$named_home "$checkout/deploy/run" --reload >"$folder/reload.log" 2>&1 ||
        { show_tail "$folder/reload.log" && fail "the instance does not take the environments of the tests"; }
}

almanac_on_host() {
    ALMANAC_ENVIRONMENTS=$environments_file ALMANAC_SQL=$checkout/sql "$bin/almanac" "$@"
}
