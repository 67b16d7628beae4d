#!/bin/bash
# Starts nginx with the name server of the container's network, and the hosts of the pages.
#
#   ALMANAC_CONSOLE, ALMANAC_NOTES   the names of those hosts, or off
set -euo pipefail

source /usr/lib/almanac/pages.sh

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
render_page_hosts /etc/nginx/pages.conf.template /usr/share/almanac/www '' 8443 >/run/almanac/pages.conf
exec nginx -e /dev/stderr -g 'daemon off;'
