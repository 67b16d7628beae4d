# shellcheck shell=bash
# Debian packages: finds missing ones, and installs them without starting any service of the host.

# The packages that lay out the pages (see pages.sh).
page_packages=(brotli ca-certificates esbuild librsvg2-bin python3 python3-venv python3-yaml)
# The module serves precompressed files to browsers that accept brotli.
nginx_packages=(nginx libnginx-mod-http-brotli-static)
build_packages=(
    libc6-dev gcc libstdc++-12-dev
    libfcgi-dev libpq-dev libjansson-dev libssl-dev libcurl4-openssl-dev libsqlite3-dev libutf8proc-dev libzip-dev
    libyaml-dev
    binaryen
    "${page_packages[@]}"
)
service_packages=(postgresql "${nginx_packages[@]}" spawn-fcgi multiwatch openssl curl ca-certificates jq)
# Kotlin's compiler needs a Java runtime.
test_packages=(shellcheck python3 python3-venv git jq nodejs default-jre-headless)
browser_packages=(chromium chromium-headless-shell iproute2 libnss3-tools nodejs node-react node-react-dom
    fonts-noto-core fonts-noto-color-emoji)
# Some distributions' nodejs contains npm, and conflicts with Debian's.
command -v npm >/dev/null || browser_packages+=(npm)
# The packages for deploy/test --long only: failover of servers, and load measurement; other browsers than Chromium.
failover_packages=(patroni python3-pysyncobj pg-auto-failover-cli postgresql-15-auto-failover wrk)
engine_packages=(firefox-esr webkit2gtk-driver xvfb libnss3-tools)
# The packages that build the Debian package: its tools, the libraries of the programs, and what the pages need.
# deploy/debian/control names the packages that a host needs.
package_packages=(
    build-essential debhelper dpkg-dev libfcgi0ldbl libpq5 libjansson4 libssl3 libcurl4 libsqlite3-0 libutf8proc2 libzip4
    libyaml-0-2
    "${page_packages[@]}"
)
container_packages=(docker.io docker-compose mmdebstrap iproute2 iptables python3)

install_packages() {
    local missing=()
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} > 0)) || return 0
    say "Installing Debian packages: ${missing[*]}"
    choose_administrator "${missing[@]}"
    package_log=$(mktemp /tmp/almanac-packages-XXXXXX.log)
    update_package_lists
    refuse_unavailable_packages "${missing[@]}"
    begin_quiet_installation
    if [[ " ${missing[*]} " == *" postgresql "* ]]; then
        apt_install postgresql-common
        keep_default_cluster_away
    fi
    apt_install "${missing[@]}"
    end_quiet_installation
    rm -f -- "$package_log"
}

missing_packages() {
    local package
    command -v dpkg-query >/dev/null ||
        fail "dpkg is missing; use Debian 12 or later, or a distribution based on it"
    for package in "$@"; do
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
            printf '%s\n' "$package"
    done
}

# Chooses root, or sudo for another user, to install packages.
choose_administrator() {
    administrator=()
    ((EUID != 0)) || return 0
    command -v sudo >/dev/null ||
        fail "Debian packages are missing, and there is no sudo to install them; as root, run apt-get install $*"
    administrator=(sudo)
}

as_administrator() {
    "${administrator[@]}" "$@"
}

apt() {
    as_administrator env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
        apt-get -q -o DPkg::Lock::Timeout=300 "$@"
}

# Updates the package lists. Without a network, already downloaded packages may be enough.
update_package_lists() {
    apt update >"$package_log" 2>&1 || warn "could not update the package lists; continuing with the present lists"
}

refuse_unavailable_packages() {
    local package unavailable=()
    for package in "$@"; do
        if ! LC_ALL=C apt-cache policy "$package" | grep -E "^ *Candidate: [^(]" >/dev/null; then
            unavailable+=("$package")
        fi
    done
    ((${#unavailable[@]} > 0)) || return 0
    rm -f -- "$package_log"
    fail "Debian package not available here: ${unavailable[*]} (check that the apt sources are for Debian 12 or later, and that the network is up)"
}

apt_install() {
    if ! apt install -y --no-install-recommends "$@" >>"$package_log" 2>&1; then
        end_quiet_installation
        show_tail "$package_log"
        explain_log "$package_log"
        fail "Debian package could not be installed: $* (the whole output is in $package_log)"
    fi
}

# Prevents services from starting: Debian starts a service on installation unless policy-rc.d forbids it.
begin_quiet_installation() {
    policy_made=
    if [[ ! -e /usr/sbin/policy-rc.d ]]; then
        printf '#!/bin/sh\nexit 101\n' | as_administrator tee /usr/sbin/policy-rc.d >/dev/null
        as_administrator chmod 755 /usr/sbin/policy-rc.d
        policy_made=yes
    fi
}

# Prevents the package postgresql from creating its own cluster.
keep_default_cluster_away() {
    cluster_setting=
    if [[ -d /etc/postgresql-common/createcluster.d || -f /etc/postgresql-common/createcluster.conf ]]; then
        as_administrator mkdir -p /etc/postgresql-common/createcluster.d
        cluster_setting=/etc/postgresql-common/createcluster.d/almanac-installation.conf
        printf 'create_main_cluster = false\n' | as_administrator tee "$cluster_setting" >/dev/null
    fi
}

# Extracts promtool, which checks metrics and alerts, from its package. The installed package would run Prometheus.
fetch_promtool() {
    promtool=$checkout/.build/promtool/usr/bin/promtool
    [[ ! -x $promtool ]] || return 0
    say "Extracting promtool from the Debian package prometheus"
    package_log=$(mktemp /tmp/almanac-packages-XXXXXX.log)
    if ! take_promtool_out; then
        # The package lists may be missing or outdated.
        choose_administrator prometheus
        update_package_lists
        refuse_unavailable_packages prometheus
        if ! take_promtool_out; then
            show_tail "$package_log"
            fail "promtool could not be extracted from the Debian package prometheus (the whole output is in $package_log)"
        fi
    fi
    rm -f -- "$package_log"
}

take_promtool_out() {
    local folder=$checkout/.build/promtool
    rm -rf -- "$folder"
    mkdir -p -- "$folder"
    (
        cd -- "$folder" &&
            apt-get -q download prometheus &&
            dpkg --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool &&
            rm -f -- prometheus_*.deb
    ) >"$package_log" 2>&1
}

# Removes both files. The exit trap also calls this, so that an interrupted installation leaves neither behind.
end_quiet_installation() {
    if [[ -n ${policy_made:-} ]]; then
        as_administrator rm -f /usr/sbin/policy-rc.d
        policy_made=
    fi
    if [[ -n ${cluster_setting:-} ]]; then
        as_administrator rm -f "$cluster_setting"
        cluster_setting=
    fi
}
