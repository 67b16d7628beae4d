# shellcheck shell=bash
# Things to try after a first run: a token per environment, three entries, and lines to paste.

make_tokens() {
    local environment file
    for environment in "${environments[@]}"; do
        file=$tokens/$environment.token
        [[ ! -s $file ]] || continue
        rm -f -- "$file"
        if ! ALMANAC_ENVIRONMENTS=$environments_file "$bin/almanac" token create "$environment" \
            --scope admin --label "$program" --output "$file" >"$logs/token.log" 2>&1; then
            show_tail "$logs/token.log" 3
            fail "no token could be made for $environment"
        fi
    done
}

# One release with three entries, unless the environment has ever had one.
fill_development() {
    local status
    ask /development/config -o /dev/null -D - | grep -i $'^almanac-revision: 0\r*$' >/dev/null || return 0
    status=$(ask /development/config -X PATCH -o "$logs/first-release.json" -w '%{http_code}' \
        -H "Authorization: Bearer $(<"$tokens/development.token")" \
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
        fail "the first entries of development were answered with status ${status:-none}"
    fi
}

show_welcome() {
    local ca token url curl=curl
    url=$(instance_url)
    ca=$(printf '%q' "$named_home/tls/ca.pem")
    token=$(printf '%q' "$named_home/tokens/development.token")
    if [[ -n ${https_proxy:-}${HTTPS_PROXY:-}${all_proxy:-}${ALL_PROXY:-} ]]; then
        curl="curl --noproxy localhost"
    fi
    cat <<END

Almanac serves ${environments[*]} on $url

The config of development, what has changed since revision 0, and a change:

  $curl --cacert $ca $url/development/config
  $curl --cacert $ca '$url/development/config?since=0'
  $curl --cacert $ca -X PUT $url/development/config/app.fun_button.text -H "Authorization: Bearer \$(cat $token)" -H 'Content-Type: application/json' -d '{"value":"Purrrr! 😺"}'

Tokens  $named_home/tokens
Logs    $named_home/log
END
}
