# shellcheck shell=bash
# A network of the tests' own. When an interface of the host gets an address or loses one, as those of containers do,
# Chromium aborts all that it loads (ERR_NETWORK_CHANGED), and has no switch against it.

# Starts this script anew in a network that nothing else has. Only root can; and an instance that runs already is in the
# host's network.
enter_own_network() {
    [[ -z ${ALMANAC_BROWSER_NETWORK:-} ]] || return 0
    if ((EUID != 0)) || [[ ! -x $(command -v ip) ]] || ! unshare --net true 2>/dev/null; then
        warn "the tests share the network of this host: where containers start meanwhile, some will fail"
        return 0
    fi
    ALMANAC_BROWSER_NETWORK=own exec unshare --net -- "$@"
}

# A browser takes itself to be offline where there is nothing but loopback, so there is a pair of interfaces that lead to
# each other. IPv6 would give them a further address after a while.
begin_own_network() {
    [[ ${ALMANAC_BROWSER_NETWORK:-} == own ]] || return 0
    ip link set lo up
    ip link add almanac0 type veth peer name almanac1
    if [[ -e /proc/net/if_inet6 ]]; then
        ip link set almanac0 addrgenmode none
        ip link set almanac1 addrgenmode none
    fi
    # The address is of a range for documentation (RFC 5737), which nobody has.
    ip address add 192.0.2.1/24 dev almanac0
    ip link set almanac0 up
    ip link set almanac1 up
}
