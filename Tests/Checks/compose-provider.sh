# shellcheck shell=bash
# The profile "provider" of docker-compose.yml: a sign-in at an OpenID Connect provider, and a note with the token.

# Sends a request to the provider from this host: the path, then further options of curl.
ask_provider() {
    local path=$1
    shift
    in_engine_network curl -sS --noproxy '*' --max-time 60 --cacert "$results/provider.pem" \
        --connect-to "provider:8444:localhost:$ALMANAC_PROVIDER_PORT" "$@" "https://provider:8444$path"
}

provider_answers() {
    ask_provider /.well-known/openid-configuration --fail
}

# Signs in with the authorization code flow and PKCE, like an app and its browser.
sign_in() {
    local user=$1 password=$2 verifier challenge page transaction code
    verifier=$(openssl rand -hex 32)
    challenge=$(printf '%s' "$verifier" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d =)
    page=$(ask_provider "/authorize?response_type=code&client_id=notes-app&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback&scope=openid&state=s&code_challenge=$challenge&code_challenge_method=S256" \
        --fail --cookie-jar "$results/cookies")
    transaction=$(grep -oP 'name="transaction_id" value="\K[^"]+' <<<"$page")
    code=$(ask_provider /authorize --cookie "$results/cookies" --dump-header - --output /dev/null \
        --data-urlencode "transaction_id=$transaction" --data "username=$user&password=$password" |
        grep -oP '^location: .*[?&]code=\K[^&\s]+' -i)
    ask_provider /token --fail --data "grant_type=authorization_code&client_id=notes-app&code_verifier=$verifier" \
        --data-urlencode "code=$code" --data-urlencode redirect_uri=http://127.0.0.1:9/callback |
        grep -oP '"access_token": ?"\K[^"]+'
}

signs_in_at_provider() {
    export ALMANAC_PROVIDER_PORT
    ALMANAC_PROVIDER_PORT=$(free_port 18444)
    compose down
    cp -- "$checkout/deploy/containers/etc-provider/environments.json" "$trial_etc/environments.json"
    compose --profile provider up --detach
    compose exec -T nginx cat /tls/ca.pem >"$ca"
    await answers
    compose exec -T provider cat /certificate/server.pem >"$results/provider.pem"
    await provider_answers
    ! sign_in alice wrong || return 1
    sign_in alice wonderland >"$results/login.token"
    request /development/notes --fail -H "$(with_token login)" \
        --json '[["createNote", {"action_id": "signed-in", "id": "signed-in", "body": "mine"}]]' | grep '"status":"applied"'
    # The development issuer's tokens must no longer work, and only the provider may read its key.
    [[ $(request /development/notes -H "$(with_token alice)" --output /dev/null --write-out '%{http_code}') == 401 ]]
    ! compose exec -T worker cat /provider/server.key || return 1
}
