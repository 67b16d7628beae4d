# shellcheck shell=bash
# A network namespace for the tests. Chromium aborts all loads (ERR_NETWORK_CHANGED) when an interface of the host gains
# or loses an address, as containers cause, and has no switch against it.

# Restarts this script in a new network namespace. Only root can; and a running instance is in the host's network.
enter_own_network() {
    [[ -z ${ALMANAC_BROWSER_NETWORK:-} ]] || return 0
    if ((EUID != 0)) || [[ ! -x $(command -v ip) ]] || ! unshare --net true 2>/dev/null; then
        warn "the tests share the network of this host: where containers start meanwhile, some will fail"
        return 0
    fi
    ALMANAC_BROWSER_NETWORK=own exec unshare --net -- "$@"
}

# Creates a pair of connected interfaces, because a browser with only loopback considers itself offline. IPv6 would add
# a further address after a while.
begin_own_network() {
    [[ ${ALMANAC_BROWSER_NETWORK:-} == own ]] || return 0
    ip link set lo up
    ip link add almanac0 type veth peer name almanac1
    if [[ -e /proc/net/if_inet6 ]]; then
        ip link set almanac0 addrgenmode none
        ip link set almanac1 addrgenmode none
    fi
    # The address is reserved for documentation (RFC 5737), so it is never in use.
    ip address add 192.0.2.1/24 dev almanac0
    ip link set almanac0 up
    ip link set almanac1 up
}
