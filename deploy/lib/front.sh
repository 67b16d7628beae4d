# shellcheck shell=bash
# Settings of nginx that an operator chooses, from the environment:
#
#   ALMANAC_PROXIES  the addresses or networks of proxies in front, separated by spaces or commas. nginx takes the
#                    caller's address from their X-Forwarded-For, or from the PROXY protocol; from nobody else's
#   ALMANAC_HSTS     the value of Strict-Transport-Security, or off

default_hsts=max-age=63072000

check_front_settings() {
    local proxies=${ALMANAC_PROXIES:-} proxy
    for proxy in ${proxies//,/ }; do
        [[ $proxy =~ ^[0-9a-fA-F.:]+(/[1-9][0-9]{0,2})?$ ]] ||
            fail "ALMANAC_PROXIES must name addresses or networks of proxies, such as \"10.0.0.5 10.1.0.0/16\", not \"$proxy\""
    done
    [[ ${ALMANAC_HSTS:-off} =~ ^(off|max-age=[0-9]{1,10}(\; includeSubDomains)?(\; preload)?)$ ]] ||
        fail "ALMANAC_HSTS must be off or such as \"$default_hsts; includeSubDomains\", not \"$ALMANAC_HSTS\""
}

# Prints the lines of each nginx server. Argument: the header with the caller's address, or proxy_protocol.
render_front_settings() {
    local header=${1:-X-Forwarded-For} hsts=${ALMANAC_HSTS:-$default_hsts} proxy
    [[ $hsts != off ]] || hsts=
    printf 'set %salmanac_hsts "%s";\n' '$' "$hsts"
    [[ -n ${ALMANAC_PROXIES:-} ]] || return 0
    for proxy in ${ALMANAC_PROXIES//,/ }; do
        printf 'set_real_ip_from %s;\n' "$proxy"
    done
    printf 'real_ip_header %s;\n' "$header"
    # The last address that is no proxy's is the caller's, whatever the caller has sent in the header.
    printf 'real_ip_recursive on;\n'
}
