# shellcheck shell=bash
# Things to try after a first run: a token per environment, three entries, and commands to paste.

# The environments whose token file contains a token unknown to their database.
unfit_tokens=()

# The owner of the tokens that deploy/run creates. Only a token with an owner opens a session.
token_owner=(--owner operator --owner-name Operator)

# Creates tokens for the environments of a first start; the operator creates those of added environments.
make_tokens() {
    local environment file
    for environment in "${first_environments[@]}"; do
        file=$tokens/$environment.token
        if [[ -s $file ]] || ! is_local "$environment"; then continue; fi
        rm -f -- "$file"
        if ! ALMANAC_ENVIRONMENTS=$environments_file "$bin/almanac" token create "$environment" \
            --scope admin --label "$program" "${token_owner[@]}" --output "$file" >"$logs/token.log" 2>&1; then
            show_tail "$logs/token.log" 3
            fail "no token could be created for $environment"
        fi
    done
}

# Warns about token files whose token the environment's database doesn't accept.
check_tokens() {
    local environment file status
    for environment in "${environments[@]}"; do
        file=$tokens/$environment.token
        [[ -s $file ]] || continue
        status=$(request "/$environment/releases?limit=1" -o /dev/null -w '%{http_code}' -H @<(bearer "$file"))
        [[ $status == 401 ]] || continue
        warn "the token in $file is not valid in the database of $environment (it was revoked, or belongs to another database). For a new token, run rm $(printf '%q' "$file") && $(printf '%q ' "$bin/almanac" token create "$environment" --scope admin --label "$program" "${token_owner[@]}" --output "$file" --environments "$environments_file")"
        unfit_tokens+=("$environment")
    done
}

bearer() {
    printf 'Authorization: Bearer %s\n' "$(<"$1")"
}

# Creates a release with three entries, unless the environment has ever had a release.
fill_development() {
    local status
    [[ -s $tokens/development.token && " ${unfit_tokens[*]} " != *" development "* ]] && is_local development || return 0
    request /development/config -o /dev/null -D - | grep -i $'^almanac-revision: 0\r*$' >/dev/null || return 0
    status=$(request /development/config -X PATCH -o "$logs/first-release.json" -w '%{http_code}' \
        -H @<(bearer "$tokens/development.token") \
        -H 'Content-Type: application/merge-patch+json' -H 'Almanac-Message: First entries' --data-binary @- <<'END'
{
  "app.background.color": "#FFB6C1",
  "app.fun_button.text": "Meeeeoowwww! 😸",
  "app.fun_button.url": "https://www.example.com/cats"
}
END
    )
    if [[ $status != 2?? ]]; then
        show_tail "$logs/first-release.json" 3
        fail "writing the first entries of development failed with status ${status:-none}"
    fi
}

show_welcome() {
    local trust='' token url curl=curl
    url=$(instance_url)
    # The operator's own certificate may not cover localhost.
    ! is_made_here || trust=" --cacert $(printf '%q' "$named_home/tls/ca.pem")"
    token=$(printf '%q' "$named_home/tokens/development.token")
    if [[ -n ${https_proxy:-}${HTTPS_PROXY:-}${all_proxy:-}${ALL_PROXY:-} ]]; then
        curl="curl --noproxy localhost"
    fi
    say
    say "Almanac serves ${environments[*]} on $url"
    [[ " ${environments[*]} " != *" development "* ]] || cat <<END

Read the config of development, read the changes since revision 0, and make a change:

  $curl$trust $url/development/config
  $curl$trust '$url/development/config?since=0'
  $curl$trust -X PUT $url/development/config/app.fun_button.text -H "Authorization: Bearer \$(cat $token)" -H 'Content-Type: application/json' -d '{"value":"Purrrr! 😺"}'
END
    cat <<END

For the command line, in a shell:

  eval "\$($(this_command) --env)"
  almanac config list

Tokens  $named_home/tokens
Logs    $named_home/log
END
}

# Prints the link that opens the console, signed in wherever a token file exists. It works once, for ten minutes.
show_console() {
    [[ -n $(console_url) ]] || return 0
    say
    is_trusted_here || show_how_to_trust
    say "Console $(console_link)"
}

console_link() {
    local environment answer code codes=''
    while IFS=$'\x1f' read -r environment _; do
        [[ -s $tokens/$environment.token ]] || continue
        answer=$(session_link "$environment")
        if [[ $answer == *urn:almanac:problem:owner-needed* ]] && give_owner "$environment" >&2; then
            answer=$(session_link "$environment")
        fi
        code=$(jq -r '.code // empty' <<<"$answer" || true)
        [[ -z $code ]] || codes+="${codes:+,}$environment=$code"
    done < <(list_environments)
    printf '%s/%s\n' "$(console_url)" "${codes:+#/open/$codes}"
}

session_link() {
    request "/$1/session/link" -X POST -H @<(bearer "$tokens/$1.token")
}

# Sets the owner of a token that an earlier release of deploy/run created. The operator does it for added environments.
give_owner() {
    local environment=$1 id command
    id=$(request "/$environment/session" -H @<(bearer "$tokens/$environment.token") | jq -r '.token_id // empty')
    command=("$bin/almanac" token set "$environment" "$id" --environments "$environments_file")
    if [[ " ${first_environments[*]} " == *" $environment "* ]] && is_local "$environment"; then
        "${command[@]}" "${token_owner[@]}"
    else
        warn "the token in $tokens/$environment.token has no owner, so it opens no session; run $(printf '%q ' "${command[@]}")--owner NAME --owner-name 'Full name'"
        return 1
    fi
}

# Returns true if this system trusts the certificate; browsers may decide differently.
is_trusted_here() {
    openssl verify -CApath /etc/ssl/certs "$tls/server.pem" >/dev/null 2>&1
}

show_how_to_trust() {
    is_made_here || return 0
    local ca
    ca=$(printf '%q' "$named_home/tls/ca.pem")
    say "Trust   $ca, which is valid only for localhost: Debian (Chromium) mkdir -p ~/.pki/nssdb && certutil -d sql:\$HOME/.pki/nssdb -A -t C,, -n almanac -i $ca;"
    say "        macOS security add-trusted-cert -k ~/Library/Keychains/login.keychain-db $ca; Firefox: Settings, Certificates, Authorities, Import"
}
