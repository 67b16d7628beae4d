#!/bin/sh
# Starts nginx with the name server of the network that this container is in.
set -eu

servers=$(awk '$1 == "nameserver" { print ($2 ~ /:/) ? "[" $2 "]" : $2 }' /etc/resolv.conf | head -n 1)
if [ -z "$servers" ]; then
    echo "nginx.sh: /etc/resolv.conf names no name server, which is needed to find the workers" >&2
    exit 1
fi
# A worker that is new, or gone, is noticed after this time.
printf 'resolver %s valid=2s ipv6=off;\nresolver_timeout 3s;\n' "$servers" >/run/almanac/resolver.conf
exec nginx -e /dev/stderr -g 'daemon off;'
