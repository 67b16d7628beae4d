#!/bin/bash
# Starts nginx with the name server of the container's network, the hosts of the pages, and the settings of front.sh.
#
#   ALMANAC_CONSOLE, ALMANAC_NOTES   the names of those hosts, or off
#   ALMANAC_PROXY_PROTOCOL           on: every connection begins with the PROXY protocol
set -euo pipefail

source /usr/lib/almanac/page-hosts.sh
source /usr/lib/almanac/front.sh

fail() {
    printf 'nginx.sh: %s\n' "$*" >&2
    exit 1
}

server=$(awk '$1 == "nameserver" { print ($2 ~ /:/) ? "[" $2 "]" : $2; exit }' /etc/resolv.conf)
[[ -n $server ]] || fail "/etc/resolv.conf names no name server, so nginx cannot find the workers"
# nginx notices a new or removed worker after the time in "valid".
printf 'resolver %s valid=2s ipv6=off;\nresolver_timeout 3s;\n' "$server" >/run/almanac/resolver.conf
printf 'worker_connections %s;\n' "$(ulimit -n)" >/run/almanac/connections.conf
set_page_hosts "$ALMANAC_CONSOLE" "$ALMANAC_NOTES"
for application in "${applications[@]}"; do
    page_host_is_valid "${page_hosts[$application]}" ||
        fail "ALMANAC_${application^^} must be the name of a host, or off, not \"${page_hosts[$application]}\""
done
check_front_settings
header=X-Forwarded-For
protocol=
case ${ALMANAC_PROXY_PROTOCOL:-off} in
    off) ;;
    on)
        [[ -n ${ALMANAC_PROXIES:-} ]] ||
            fail "ALMANAC_PROXY_PROTOCOL needs the addresses of the proxies in ALMANAC_PROXIES"
        header=proxy_protocol
        protocol=" proxy_protocol"
        ;;
    *) fail "ALMANAC_PROXY_PROTOCOL must be on or off, not \"$ALMANAC_PROXY_PROTOCOL\"" ;;
esac
# Keepalive detects a vanished client after two minutes.
printf 'listen 8443 ssl http2 default_server backlog=4096 so_keepalive=60s:20s:3%s;\n' "$protocol" \
    >/run/almanac/listen.conf
render_front_settings "$header" >/run/almanac/front.conf
render_page_hosts /etc/nginx/pages.conf.template /usr/share/almanac/www 'include /run/almanac/front.conf;' 8443 \
    >/run/almanac/pages.conf
exec nginx -e /dev/stderr -g 'daemon off;'
