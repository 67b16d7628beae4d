# shellcheck shell=bash
# The Debian package on a host with systemd, in a container: installation, restart, upgrade and removal. A long run also
# does this under load, and on broken hosts and hosts of earlier releases.

check_systemd() {
    begin_part "The Debian package and systemd"
    check "the package has every file" package_is_complete
    check "a bare Debian host with systemd starts" starts_host
    check "apt-get install and almanac-setup lead to the first answer over TLS" installs
    ((failed == 0)) || return 0
    check "systemd finds nothing wrong with the units" units_are_verified
    check "systemd rates both services as well confined" units_are_confined
    check "the processes have the limits that the units ask for" processes_are_confined
    check "config, notes and a stream are served" host_serves
    check "the console's page is served on a host of its own" host_serves_console
    check "a user's note is written with a token that was made on the host" trusts_development_tokens
    check "a killed worker is back, and its socket never closes" revives_killed_worker
    if is_long; then
        check_systemd_at_length
    else
        check "an upgrade changes no setting" upgrades
    fi
    check_upgrades
    check "what is uninstalled leaves settings and data, and comes back with them" uninstalls_and_returns
    stop_host
}

check_systemd_at_length() {
    check "lintian finds nothing in the package, and it is built twice the same" package_is_reproducible
    check "restarts of worker, events and nginx under load fail no request" restarts_unnoticed
    check "a socket that closes under the same load is noticed" closed_socket_is_noticed
    check "a backup is made by the timer's service, and can be restored" makes_host_backup
    check "a reload reads environments.json again" reloads_environments
    check "environment add makes another one as PostgreSQL's own user, and remove leaves nothing of it" host_adds_environment
    check "almanac-setup adds an environment, changes nothing the second time, and refuses another host" sets_up_again
    check "a reload fails where environments.json is broken or a password unreadable, and says so" host_reload_refuses
    check "PostgreSQL and nginx are back after they were killed" revives_killed_services
    check "an upgrade that nginx would refuse changes nothing and says what is missing" refuses_older_site
    check "an upgrade refuses a certificate's link without its target, and changes nothing" refuses_dangling_certificate
    check "an upgrade leaves a site without a console as it is, and says so" keeps_site_without_console
    check "an upgrade under load fails no request and changes no setting" upgrades_unnoticed
    check "an installation whose workers shared one login gets one for each environment" ends_shared_login
}

package_is_complete() {
    dpkg-deb --fsys-tarfile "$package" | tar -t >"$results/files"
    grep -E 'sql/roles.sql|almanac-events.socket|nginx/almanac-limits.conf|sbin/almanac-setup|_almanac$' "$results/files"
    grep -E 'www/console/assets/[0-9a-f]{12}/console/.*[.]gz$' "$results/files"
    grep 'man1/almanac-config-set.1.gz' "$results/files"
    grep 'man8/almanac-events.8.gz' "$results/files"
}

# Builds the package again in another folder and at another time.
package_is_reproducible() {
    lintian --fail-on error,warning "$package"
    "$checkout/deploy/package" --programs "${ALMANAC_PROGRAMS:-$checkout/.build/release}" --output "$results/again"
    cmp "$package" "$results"/again/*.deb
}

on_host() {
    docker exec almanac-host "$@"
}

starts_host() {
    docker run --detach --name almanac-host --cap-add SYS_ADMIN --security-opt seccomp=unconfined \
        --security-opt apparmor=unconfined --cgroupns private --tmpfs /run --tmpfs /run/lock --tmpfs /tmp \
        --volume "$checkout:/checkout:ro" --volume "$results/packages:/package:ro" almanac-host
    await on_host systemctl is-system-running --wait
}

stop_host() {
    docker rm --force almanac-host >/dev/null 2>&1 || true
}

install_on_host() {
    on_host /checkout/deploy/install --package "/package/${package##*/}" --port 8443
}

# Sends a request on the host: the path, then further options of curl.
host_request() {
    local path=$1
    shift
    on_host curl -sS --max-time 60 --cacert /etc/almanac/tls/ca.pem "$@" "https://localhost:8443$path"
}

host_serves_config() {
    host_request /production/config --fail -H "$(with_token host)"
}

host_answers() {
    [[ $(host_request /production/config --output /dev/null --write-out '%{http_code}') == 401 ]]
}

# Installs the package without deploy/install, as on a host without the checkout.
installs() {
    local begin=$SECONDS
    on_host apt-get update
    on_host env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "/package/${package##*/}"
    ! on_host systemctl is-active almanac-worker.socket || return 1
    on_host almanac-setup --port 8443
    await host_answers
    printf 'The first answer came after %s s.\n' "$((SECONDS - begin))"
    on_host almanac token create production --scope admin --label test >"$results/host.token"
    await host_serves_config
    on_host systemctl is-enabled almanac-{worker,events}.{socket,service}
}

units_are_verified() {
    on_host systemd-analyze verify --man=no /usr/lib/systemd/system/almanac-{worker,events}.{socket,service} \
        /usr/lib/systemd/system/almanac-backup.{timer,service} 2>&1 |
        tee "$results/verify"
    [[ ! -s $results/verify ]]
}

units_are_confined() {
    local unit
    for unit in almanac-{worker,events}.service; do
        on_host systemd-analyze security --no-pager --threshold=15 "$unit"
    done
    # The backup service runs as root, because it reads the owner's password and writes to a configurable folder.
    on_host systemd-analyze security --no-pager --threshold=17 almanac-backup.service
}

main_pid() {
    on_host systemctl show --property MainPID --value "$1"
}

processes_are_confined() {
    local unit status
    for unit in almanac-{worker,events}.service; do
        status=$(on_host cat "/proc/$(main_pid "$unit")/status")
        grep -E '^(Uid|NoNewPrivs|Seccomp|CapBnd|CapEff)' <<<"$status"
        grep -qE "^Uid:\s+$(on_host id -u almanac)\s" <<<"$status"
        grep -qE '^NoNewPrivs:\s+1$' <<<"$status"
        grep -qE '^Seccomp:\s+2$' <<<"$status"
        grep -qE '^CapBnd:\s+0+$' <<<"$status"
        # The host's control groups are read-only, so the kernel's limit can't be read here.
        [[ $(on_host systemctl show --property MemoryMax --value "$unit") == $((1 << 30)) ]]
    done
    # The programs' user must not read the owner's password, but must read the worker's.
    ! on_host setpriv --reuid almanac --regid almanac --clear-groups cat /etc/almanac/secrets/owner.password || return 1
    on_host setpriv --reuid almanac --regid almanac --clear-groups cat /etc/almanac/secrets/worker.password
}

host_serves() {
    host_request /production/config/app.theme --fail -X PUT -H "$(with_token host)" --json '{"value": "dark"}'
    host_serves_config | grep dark
    # Notes need an identity provider, and none is configured.
    [[ $(host_request /production/notes --output /dev/null --write-out '%{http_code}') == 401 ]]
    await host_stream_begins
}

host_serves_console() {
    local file
    on_host curl -sS --fail --cacert /etc/almanac/tls/ca.pem https://console.localhost:8443/ >"$results/page"
    file=$(grep -oE '/assets/[0-9a-f]{12}/console/[a-z]+[.]css' "$results/page" | sed -n 1p)
    on_host curl -sS --fail --cacert /etc/almanac/tls/ca.pem --head "https://console.localhost:8443$file" >"$results/headers"
    grep -i '^cache-control: .*immutable' "$results/headers"
    on_host curl -sS --cacert /etc/almanac/tls/ca.pem https://console.localhost:8443/production/config | grep token-needed
}

# Checks a site of a release that had only the API's page.
keeps_site_without_console() {
    on_host sed -i -e "/^# The pages of /,\$d" -e 's#/www/api;#/www;#' /etc/almanac/nginx/almanac.conf
    on_host sha256sum /etc/almanac/nginx/almanac.conf >"$results/site"
    install_on_host | tee "$results/installed"
    grep 'The console is not served' "$results/installed"
    on_host sha256sum /etc/almanac/nginx/almanac.conf | diff "$results/site" -
    host_request / --fail | grep 'href="/openapi.yaml"'
    host_request /openapi.yaml --fail | grep '^openapi:'
    # Follow deploy/operating/pages.md.
    on_host mv /etc/almanac/nginx/almanac.conf /etc/almanac/nginx/almanac.conf~
    install_on_host | tee "$results/installed"
    grep 'The console: https://console.localhost:8443$' "$results/installed"
    grep 'The notes: https://notes.localhost:8443$' "$results/installed"
    await host_serves_console
}

host_stream_begins() {
    host_request /production/events -H "$(with_token host)" --max-time 3 >"$results/stream" || true
    grep '"hello"' "$results/stream"
}

makes_host_backup() {
    local file
    on_host systemctl is-active almanac-backup.timer
    on_host systemctl start almanac-backup.service
    file=$(on_host bash -c 'ls /var/backups/almanac/production/*.dump | tail -n 1')
    on_host almanac backup inspect "$file" | grep -E '^environment +production'
    on_host almanac restore production "$file" --yes
    await host_serves_config
    host_serves_config | grep dark
}

revives_killed_worker() {
    local former
    former=$(main_pid almanac-worker.service)
    on_host kill -s KILL "$former"
    # The request waits in the socket until the next process accepts it.
    host_serves_config
    [[ $(main_pid almanac-worker.service) != "$former" ]]
    # The first request starts a stopped service.
    on_host systemctl stop almanac-worker.service
    host_serves_config
    on_host systemctl is-active almanac-worker.service
}

serves_second_environment() {
    [[ $(host_request /preview/config --output /dev/null --write-out '%{http_code}') == 401 ]]
}

# Adds an environment to the file and makes its database as in deploy/OPERATING.md.
reloads_environments() {
    ! serves_second_environment || return 1
    on_host bash -c 'jq ".preview = (.production | tojson | gsub(\"almanac_production\"; \"almanac_preview\") | fromjson)" \
        /etc/almanac/environments.json >/tmp/new && cat /tmp/new >/etc/almanac/environments.json'
    # shellcheck disable=SC2016 # The host's shell reads the password.
    on_host bash -c '{ echo "\\set database almanac_preview"
        echo "\\set worker_password $(cat /etc/almanac/secrets/worker.password)"; cat /usr/share/almanac/sql/roles.sql; } |
        runuser -u postgres -- psql -X -q -d postgres'
    on_host almanac migrate preview
    on_host systemctl reload almanac-worker almanac-events
    await serves_second_environment
}

# Adds an environment as in deploy/OPERATING.md, "Make an environment".
host_adds_environment() {
    on_host sha256sum /etc/almanac/environments.json >"$results/environments"
    on_host almanac environment add added --config-read public | tee "$results/added"
    grep 'as the user postgres of this host' "$results/added"
    grep 'and wait until their workers log in' "$results/added"
    ! grep 'still to do' "$results/added" || return 1
    [[ $(host_request /added/config --fail) == '[]' ]]
    on_host almanac environment remove added --drop-database --yes
    on_host sha256sum /etc/almanac/environments.json | diff "$results/environments" -
    [[ $(host_query "select count(*) from pg_roles where rolname like 'almanac_added%'") == 0 ]]
    await host_has_let_go
}

sets_up_again() {
    on_host almanac-setup second | grep '/second$'
    [[ $(host_request /second/config --output /dev/null --write-out '%{http_code}') == 401 ]]
    host_settings >"$results/settings-before"
    on_host almanac-setup
    ! on_host almanac-setup --host other.example.com 2>"$results/refused" || return 1
    grep 'almanac.conf exists and has localhost' "$results/refused"
    host_settings | diff "$results/settings-before" -
    on_host almanac environment remove second --drop-database --yes
}

host_has_let_go() {
    [[ $(host_request /added/config --output /dev/null --write-out '%{http_code}') == 404 ]]
}

host_reload_refuses() {
    on_host bash -c 'cp -p /etc/almanac/environments.json /tmp/kept && echo "{" >/etc/almanac/environments.json'
    ! on_host systemctl reload almanac-worker || return 1
    ! on_host systemctl reload almanac-events || return 1
    on_host journalctl --no-pager -u almanac-worker >"$results/journal"
    grep 'almanac-worker: environments file /etc/almanac/environments.json: line 2, column' "$results/journal"
    host_serves_config
    # An installation must not change a running service either.
    ! install_on_host >"$results/refused" 2>&1 || return 1
    grep 'almanac-worker refuses the settings: environments file /etc/almanac/environments.json: line 2' "$results/refused"
    on_host bash -c 'cat /tmp/kept >/etc/almanac/environments.json && chmod 000 /etc/almanac/secrets/worker.password'
    ! on_host systemctl reload almanac-worker || return 1
    on_host journalctl --no-pager -u almanac-worker | grep 'cannot read the password file /etc/almanac/secrets/worker.password'
    on_host almanac doctor >"$results/doctor" || true
    grep "^FAIL .*programs' user .*worker.password .*'almanac', which runs the programs, cannot read it" "$results/doctor"
    on_host chmod 640 /etc/almanac/secrets/worker.password
    on_host systemctl reload almanac-worker almanac-events
    host_serves_config
}

revives_killed_services() {
    local unit former
    for unit in postgresql@15-main.service nginx.service; do
        former=$(main_pid "$unit")
        on_host kill -s KILL "$former"
        await is_another_main_process "$unit" "$former"
    done
    await host_serves_config
    await host_is_ready
}

is_another_main_process() {
    [[ $(main_pid "$1") != 0 && $(main_pid "$1") != "$2" ]]
}

host_is_ready() {
    host_request /-/ready --fail
}

# Rewrites the site as an older release wrote it, without the group of servers that makes a new connection per POST.
make_site_older() {
    on_host sed -i '/^# nginx sends a POST/,/^}$/d; /^map ".request_method .uri" .almanac_worker /,/^}$/d' \
        /etc/almanac/nginx/almanac.conf
    on_host sed -i 's/^fastcgi_pass .almanac_worker;/fastcgi_pass almanac_worker;/; /almanac_connection/d' \
        /usr/share/almanac/nginx/almanac-worker.conf
    on_host sed -i '/^map .almanac_worker /,/^}$/d' /usr/share/almanac/nginx/almanac-http.conf
    on_host systemctl reload nginx
    host_serves_config
}

# Prints the state of all files that an installation writes.
host_state() {
    on_host bash -c 'find /etc/almanac /etc/nginx /usr/bin/almanac* /usr/share/almanac /usr/lib/systemd/system/almanac* \
        -type f ! -name almanac.conf.new -exec sha256sum {} + | sort -k 2'
    main_pid almanac-worker.service
}

refuses_older_site() {
    make_site_older
    host_state >"$results/state"
    ! install_on_host >"$results/refused" 2>&1 || return 1
    cat -- "$results/refused"
    grep 'unknown "almanac_worker" variable' "$results/refused"
    grep '    map ".request_method .uri" .almanac_worker {' "$results/refused"
    grep 'nothing was changed' "$results/refused"
    host_state | diff "$results/state" -
    on_host nginx -t
    host_serves_config
    on_host mv /etc/almanac/nginx/almanac.conf.new /etc/almanac/nginx/almanac.conf
    install_on_host
    host_serves_config
}

refuses_dangling_certificate() {
    on_host bash -c 'cd /etc/almanac/tls && mkdir /tmp/kept-tls && mv server.pem /tmp/kept-tls/ && ln -s /none/fullchain.pem server.pem'
    host_state >"$results/state"
    ! install_on_host >"$results/refused" 2>&1 || return 1
    cat -- "$results/refused"
    grep 'tls/server.pem, a link to /none/fullchain.pem, leads to no file' "$results/refused"
    host_state | diff "$results/state" -
    host_serves_config
    on_host mv -f /tmp/kept-tls/server.pem /etc/almanac/tls/server.pem
}

host_query() {
    on_host runuser -u postgres -- psql -X -q -A -t -d postgres -c "$1"
}

# Rewrites the host as an older release left it, in which all workers logged in as almanac_worker.
share_login() {
    host_query "alter role almanac_worker login password '$(on_host cat /etc/almanac/secrets/worker.password)'" || return 1
    host_query 'grant connect on database almanac_production to almanac_worker; grant connect on database postgres to public'
    on_host sed -i 's/user=almanac_production_worker/user=almanac_worker/' /etc/almanac/environments.json
    on_host systemctl restart almanac-worker almanac-events
    host_serves_config
    [[ $(host_query "select count(*) > 0 from pg_stat_activity where usename = 'almanac_worker'") == t ]]
}

ends_shared_login() {
    share_login
    install_on_host | tee "$results/shared-login"
    grep 'Environment production: its workers now log in as almanac_production_worker' "$results/shared-login"
    grep 'environments.json was changed accordingly' "$results/shared-login"
    ! on_host grep 'user=almanac_worker' /etc/almanac/environments.json || return 1
    on_host grep 'user=almanac_worker' /etc/almanac/environments.json~
    host_serves_config
    [[ $(host_query "select bool_or(has_database_privilege('almanac_worker', oid, 'connect')) from pg_database where datallowconn") == f ]]
    [[ $(host_query "select rolcanlogin from pg_roles where rolname = 'almanac_worker'") == f ]]
    on_host rm /etc/almanac/environments.json~
}

upgrades() {
    local former
    former=$(main_pid almanac-worker.service)
    host_settings >"$results/settings-before"
    install_on_host
    host_serves_config | grep dark
    [[ $(main_pid almanac-worker.service) != "$former" ]]
    host_settings | diff "$results/settings-before" -
}

host_settings() {
    on_host bash -c 'cd /etc/almanac && find . -type f -exec sha256sum {} + | sort -k 2'
}

uninstalls_and_returns() {
    host_settings >"$results/settings-before"
    on_host /checkout/deploy/install --uninstall
    ! on_host systemctl is-active almanac-worker.service almanac-worker.socket || return 1
    ! on_host test -e /usr/bin/almanac-worker || return 1
    ! host_serves_config || return 1
    on_host nginx -t
    host_settings | diff "$results/settings-before" -
    install_on_host
    await host_serves_config
    host_serves_config | grep dark
}
