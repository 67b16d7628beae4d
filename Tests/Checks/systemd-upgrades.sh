# shellcheck shell=bash
# shellcheck disable=SC2016 # The host's shell and dpkg-query read the variables in single quotes.
# Upgrades of the package that fail, and go back. What fails changes nothing, and the next attempt works.

check_upgrades() {
    later=$results/packages/almanac_99.0.0_$(dpkg --print-architecture).deb
    check "a host of a release without the package is taken over, with its settings" takes_over_former_host
    check "an upgrade with a broken environments.json changes nothing" refuses_broken_environments
    is_long || return 0
    check "a package of a later release is built, with another migration and other conffiles" makes_later_package
    check "an upgrade whose table is locked changes nothing" refuses_locked_table
    check "an upgrade without the database changes nothing" refuses_absent_database
    check "an upgrade whose preinst is killed changes nothing" survives_killed_preinst
    check "the programs serve after dpkg is killed in the middle, and the next attempt works" survives_killed_dpkg
    check "of two upgrades at once, one is refused" refuses_second_upgrade
    check "the upgrade after all of these has left the edited conffiles alone, without a question" leaves_edited_conffiles
    check "an upgrade on a full disk changes nothing" refuses_full_disk
    check "a package is refused where the schema is two releases ahead, and changes nothing" refuses_two_releases_back
    check "back and forward under load, no request fails" goes_back_and_forward
    check "a site that nginx would refuse is found where the package was removed, too" refuses_unfit_site_anew
}

# Installs a package as an operator does, without a terminal.
apt_install_on_host() {
    on_host env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends --reinstall \
        --allow-downgrades "/package/${1##*/}" </dev/null
}

# Makes dpkg forget the package, and nginx's files regular ones, as deploy/install of earlier releases left a host.
forget_package() {
    on_host bash -c 'set -e
        rm /var/lib/dpkg/info/almanac.*
        for part in status status-old; do
            awk -v RS= -v ORS="\n\n" "!/^Package: almanac\n/" "/var/lib/dpkg/$part" >/tmp/part
            cat /tmp/part >"/var/lib/dpkg/$part"
        done
        for file in /etc/nginx/almanac-*.conf; do
            [[ $file == */almanac-hosts.conf ]] || { cp "$file" "$file.new"; mv "$file.new" "$file"; }
        done
        rm /etc/almanac/*.env /usr/sbin/almanac-setup
        echo ALMANAC_THREADS=7 >/etc/almanac/worker.env
        echo "# mine" >>/etc/nginx/almanac-limits.conf
        mkdir -p /usr/share/almanac/www/notes/assets/000000000000 /usr/share/man/man1
        touch /usr/share/man/man1/almanac-former.1 /usr/share/almanac/sql/former /usr/share/almanac/www/notes/assets/000000000000/page.js'
}

takes_over_former_host() {
    forget_package
    host_settings | grep -v '/\(events\|backup\).env$' >"$results/settings-before"
    apt_install_on_host "$package"
    host_settings | grep -v '/\(events\|backup\).env$\|[.]dpkg-dist$' | diff "$results/settings-before" -
    await host_serves_config
    on_host grep '^# mine$' /etc/nginx/almanac-limits.conf
    on_host test -L /etc/nginx/almanac-worker.conf
    on_host test -e /usr/share/almanac/www/notes/assets/000000000000/page.js
    ! on_host ls /usr/share/almanac/sql/former /usr/share/man/man1/almanac-former.1 || return 1
    ! on_host ls /etc/almanac/worker.env.almanac-edited || return 1
    on_host rm -f /etc/almanac/worker.env.dpkg-dist /etc/nginx/almanac-limits.conf.dpkg-dist
}

# Checks that an upgrade fails with a reason, and leaves every file, the schema and the processes as they were.
upgrade_changes_nothing() {
    local file=$1 reason=$2
    on_host dpkg-query -W -f '${db:Status-Status} ${Version}\n' almanac >"$results/version"
    host_state >"$results/state"
    ! apt_install_on_host "$file" >"$results/refused" 2>&1 || return 1
    cat -- "$results/refused"
    grep -E -- "$reason" "$results/refused"
    host_state | diff "$results/state" -
    on_host dpkg-query -W -f '${db:Status-Status} ${Version}\n' almanac | diff "$results/version" -
    host_serves_config
}

refuses_broken_environments() {
    on_host bash -c 'cp -p /etc/almanac/environments.json /tmp/kept && echo "{" >/etc/almanac/environments.json'
    upgrade_changes_nothing "$package" 'environments file /etc/almanac/environments.json: line 2'
    on_host bash -c 'cat /tmp/kept >/etc/almanac/environments.json'
}

# Builds the package of a copy of the checkout with a later version.
makes_later_package() {
    local tree=$results/later number
    mkdir -p -- "$tree/Sources/Core/Revisions" "$tree/.build"
    cp -r -- "$checkout"/{deploy,sql,README.md} "$tree/"
    ln -s -- "$checkout/Sources/Web" "$tree/Sources/Web"
    ln -s -- "$checkout/.build/pages" "$tree/.build/pages"
    sed 's/"[0-9.]*"/"99.0.0"/' "$checkout/Sources/Core/Revisions/AlmanacVersion.swift" \
        >"$tree/Sources/Core/Revisions/AlmanacVersion.swift"
    sed -i '1s/(.*)/(99.0.0)/' "$tree/deploy/debian/changelog"
    printf '# A later release.\n' | tee -a "$tree/deploy/nginx/almanac-limits.conf" >>"$tree/deploy/systemd/worker.env"
    number=$(find "$tree/sql/migrations" -name '*.sql' -printf '%f\n' | sort | tail -n 1)
    number=$(printf '%06d' $((10#${number%%_*} + 1)))
    printf 'alter table notes add column later integer;\n' >"$tree/sql/migrations/${number}_later.sql"
    "$tree/deploy/package" --programs "${ALMANAC_PROGRAMS:-$checkout/.build/release}" --output "$results/packages"
    rm -rf -- "$tree"
}

refuses_locked_table() {
    hold_table
    upgrade_changes_nothing "$later" 'could not be migrated'
    release_table
}

# Holds a table as a dump does, until release_table or the end of the check.
hold_table() {
    trap release_table EXIT
    on_host runuser -u postgres -- psql -X -q -d almanac_production \
        -c 'begin; lock table notes in access share mode; select pg_sleep(600)' >/dev/null 2>&1 &
    await table_is_held
}

holders="from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()"

table_is_held() {
    [[ $(host_query "select count(*) $holders") == 1 ]]
}

release_table() {
    host_query "select pg_terminate_backend(pid, 10000) $holders"
}

refuses_absent_database() {
    host_query 'alter database almanac_production allow_connections false'
    upgrade_changes_nothing "$later" 'could not be migrated'
    host_query 'alter database almanac_production allow_connections true'
}

# Leaves too little room for a second copy of the pages.
refuses_full_disk() {
    on_host bash -c 'set -e
        cp -a /usr/share/almanac/www /var/tmp/www
        mount -t tmpfs -o "size=$(($(du -sk /var/tmp/www | cut -f1) + 1000))k,mode=755" none /usr/share/almanac/www
        cp -a /var/tmp/www/. /usr/share/almanac/www/'
    upgrade_changes_nothing "$later" 'No space left on device'
    on_host bash -c 'umount /usr/share/almanac/www && rm -rf /var/tmp/www'
}

# Kills preinst while its migration waits for a table.
survives_killed_preinst() {
    local upgrade
    host_state >"$results/state"
    hold_table
    apt_install_on_host "$later" >"$results/refused" 2>&1 &
    upgrade=$!
    await on_host pgrep -f '^almanac migrate'
    on_host bash -c 'kill -s KILL $(pgrep -f "^/bin/bash .*/preinst upgrade") $(pgrep -f "^almanac migrate")'
    ! wait "$upgrade" || return 1
    cat -- "$results/refused"
    release_table
    host_state | diff "$results/state" -
    [[ $(on_host dpkg-query -W -f '${db:Status-Status}' almanac) == installed ]]
    host_serves_config
}

# Kills dpkg while it unpacks the programs of the same release again.
survives_killed_dpkg() {
    local killer
    host_settings >"$results/settings-before"
    on_host bash -c 'until compgen -G "/usr/bin/almanac*.dpkg-new" >/dev/null; do :; done; kill -s KILL $(pgrep -x dpkg)' &
    killer=$!
    ! apt_install_on_host "$package" >"$results/refused" 2>&1 || return 1
    cat -- "$results/refused"
    wait "$killer"
    ! on_host dpkg-query -W -f '${db:Status-Abbrev}' almanac | grep '^ii $' || return 1
    host_serves_config
    on_host systemctl restart almanac-worker
    host_serves_config
    on_host dpkg --configure -a
    apt_install_on_host "$package"
    on_host dpkg-query -W -f '${db:Status-Abbrev}' almanac | grep '^ii $'
    host_settings | diff "$results/settings-before" -
    ! on_host bash -c 'find /usr/bin /usr/share/almanac /etc/almanac /etc/nginx -name "*.dpkg-new" -o -name .former | grep .' ||
        return 1
    host_serves_config
}

# Starts an upgrade while another one waits for a table.
refuses_second_upgrade() {
    local first
    hold_table
    apt_install_on_host "$later" >"$results/first" 2>&1 &
    first=$!
    await on_host pgrep -f '^almanac migrate'
    ! apt_install_on_host "$later" >"$results/refused" 2>&1 || return 1
    grep 'Could not get lock' "$results/refused"
    release_table
    wait "$first" || { cat -- "$results/first" && return 1; }
    [[ $(on_host dpkg-query -W -f '${Version}' almanac) == 99.0.0 ]]
    host_serves_config
}

# Checks the conffiles that takes_over_former_host has edited. The later release has others.
leaves_edited_conffiles() {
    on_host grep '^# mine$' /etc/nginx/almanac-limits.conf
    ! on_host grep 'A later release' /etc/nginx/almanac-limits.conf || return 1
    on_host grep 'A later release' /etc/nginx/almanac-limits.conf.dpkg-dist
    [[ $(on_host cat /etc/almanac/worker.env) == ALMANAC_THREADS=7 ]]
    ! on_host bash -c 'ls /etc/almanac/*.almanac-* /etc/nginx/*.almanac-*' || return 1
    [[ $(on_host dpkg --audit) == '' ]]
}

refuses_two_releases_back() {
    host_schema_query "insert into almanac_migrations (number, name, digest, keeps)
        select max(number) + 1, 'later-still', '', max(number) from almanac_migrations"
    upgrade_changes_nothing "$package" 'could not be migrated'
    host_schema_query "delete from almanac_migrations where name = 'later-still'"
}

host_schema_query() {
    on_host runuser -u postgres -- psql -X -q -d almanac_production -c "$1"
}

goes_back_and_forward() {
    start_host_load
    apt_install_on_host "$package"
    await_more_load
    [[ $(on_host dpkg-query -W -f '${Version}' almanac) != 99.0.0 ]]
    apt_install_on_host "$later"
    await_more_load
    end_host_load
    no_request_failed 2
}

refuses_unfit_site_anew() {
    on_host apt-get remove -y almanac
    on_host bash -c 'cp -p /etc/almanac/nginx/almanac.conf /tmp/site && echo "unknown;" >>/etc/almanac/nginx/almanac.conf'
    ! apt_install_on_host "$later" >"$results/refused" 2>&1 || return 1
    grep 'unknown directive "unknown"' "$results/refused"
    [[ $(on_host dpkg-query -W -f '${db:Status-Status}' almanac) == config-files ]]
    on_host nginx -t
    on_host bash -c 'cat /tmp/site >/etc/almanac/nginx/almanac.conf && rm /etc/almanac/nginx/almanac.conf.new'
    apt_install_on_host "$later"
    await host_serves_config
}
