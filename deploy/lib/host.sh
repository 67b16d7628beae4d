# shellcheck shell=bash
# Almanac on a Debian host: where its files lie, its user, its databases and its services.
#
#   /usr/bin           almanac, almanac-worker, almanac-events
#   /usr/share/almanac sql, www, README.md, deploy/OPERATING.md, deploy/COMMANDS.md
#   /etc/almanac       environments.json, secrets, tls, nginx; worker.env and events.env if one makes them
#   /etc/nginx         almanac-*.conf; almanac-hosts.conf and conf.d/almanac.conf are links to /etc/almanac/nginx
#   /run/almanac       the sockets, made by systemd

server_programs=(almanac-worker almanac-events)
sockets_and_services=(almanac-{worker,events}.{socket,service})
backup_units=(almanac-backup.{timer,service})

check_host_options() {
    [[ $environment =~ ^[a-z][a-z0-9-]{0,31}$ ]] || fail "--environment must match [a-z][a-z0-9-]{0,31}, not \"$environment\""
    [[ $host =~ ^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$ ]] || fail "--host must be a host name, not \"$host\""
    [[ $port =~ ^[1-9][0-9]{0,4}$ && $port -le 65535 ]] || fail "--port must be a number from 1 to 65535, not \"$port\""
    [[ -z $programs || -x $programs/almanac-worker ]] || fail "there is no almanac-worker in $programs"
    [[ -z $root || $root == /* ]] || root=$PWD/$root
    if [[ -z $root ]]; then
        ((EUID == 0)) || fail "this needs root: sudo env \"PATH=\$PATH\" $program"
        [[ -d /run/systemd/system ]] || fail "systemd does not run here; --root FOLDER only lays the files out"
    fi
}

# Built here unless they were given.
provide_programs() {
    [[ -z $programs ]] || return 0
    check_toolchain
    logs=$(mktemp -d /tmp/almanac-build-XXXXXX)
    [[ -n $root ]] || install_packages "${build_packages[@]}"
    build_release
    rm -rf -- "$logs"
    programs=$checkout/.build/release
}

copy_files() {
    local file
    install -d "$root"/usr/{bin,share/almanac/deploy,lib/systemd/system,lib/sysusers.d} "$root"/etc/nginx/conf.d
    for file in almanac "${server_programs[@]}"; do
        # As a new file: what runs keeps the old one.
        install -m 755 -- "$programs/$file" "$root/usr/bin/$file.new"
        strip -- "$root/usr/bin/$file.new"
        mv -- "$root/usr/bin/$file.new" "$root/usr/bin/$file"
    done
    rm -rf -- "$root"/usr/share/almanac/{sql,www}
    cp -r -- "$checkout/sql" "$checkout/deploy/www" "$checkout/README.md" "$root/usr/share/almanac/"
    # Where the links of the pages lead.
    cp -- "$checkout"/deploy/{OPERATING,COMMANDS}.md "$root/usr/share/almanac/deploy/"
    ln -sfn ../www "$root/usr/share/almanac/deploy/www"
    chmod -R u=rwX,go=rX -- "$root/usr/share/almanac"
    install -m 644 -- "$checkout"/deploy/systemd/*.{socket,service,timer} "$root/usr/lib/systemd/system/"
    install -m 644 -- "$checkout/deploy/systemd/almanac.conf" "$root/usr/lib/sysusers.d/"
    copy_nginx_files "$root/etc/nginx"
}

# The operator's own parts of nginx's configuration may be older than the files of this release. nginx itself says whether they fit,
# before anything is changed: a copy of its configuration gets the new files.
refuse_unfit_site() {
    local site=/etc/almanac/nginx/almanac.conf
    [[ -e $site ]] || return 0
    nginx_trial=$(mktemp -d /tmp/almanac-nginx-XXXXXX)
    cp -a -- /etc/nginx/. "$nginx_trial"
    # Debian names its own files by their whole paths; the site names Almanac's by where nginx.conf lies.
    sed -i "s#/etc/nginx/#$nginx_trial/#g" "$nginx_trial/nginx.conf"
    copy_nginx_files "$nginx_trial"
    ln -sfn -- "$site" "$nginx_trial/conf.d/almanac.conf"
    ln -sfn -- /etc/almanac/nginx/almanac-hosts.conf "$nginx_trial/almanac-hosts.conf"
    if ! command nginx -t -q -c "$nginx_trial/nginx.conf" 2>"$nginx_trial/errors"; then
        warn "nginx would refuse the configuration of this version together with yours:"
        sed "s#$nginx_trial/#/etc/nginx/#g; s/^/    /" "$nginx_trial/errors" >&2
        site_from_template >"$site.new"
        warn "what a new installation would have in $site, and yours has not:"
        { diff -- "$site" "$site.new" || true; } | sed -n 's/^> /    /p' >&2
        fail "nothing was changed: add to $site what it lacks ($site.new has all of it), then run this again"
    fi
    rm -rf -- "$nginx_trial"
}

copy_nginx_files() {
    local file
    for file in "$checkout"/deploy/nginx/almanac-*.conf; do
        # The names of hosts are the operator's to fill in (see make_settings).
        [[ $file == */almanac-hosts.conf ]] || install -m 644 -- "$file" "$1/"
    done
}

site_from_template() {
    local text
    text=$(<"$checkout/deploy/nginx/site.conf.template")
    has_ipv6_loopback || text=$(sed '/listen \[::\]/d' <<<"$text")
    text=${text//@host@/"$host"}
    printf '%s\n' "${text//@port@/"$port"}"
}

# A file that is there belongs to the operator.
make_settings() {
    local etc=$root/etc/almanac text
    install -d -m 755 "$etc" "$etc/tls" "$etc/nginx"
    install -d -m 711 "$etc/secrets"
    keep_host_secret "$etc/secrets/owner.password" root 600
    keep_host_secret "$etc/secrets/worker.password" almanac 640
    if [[ ! -e $etc/environments.json ]]; then
        text=$(<"$checkout/deploy/systemd/environments.json.template")
        printf '%s\n' "${text//@environment@/"$environment"}" >"$etc/environments.json"
    fi
    [[ -e $etc/nginx/almanac.conf ]] || site_from_template >"$etc/nginx/almanac.conf"
    # Of an installation that was refused (see refuse_unfit_site).
    rm -f -- "$etc/nginx/almanac.conf.new"
    [[ -e $etc/nginx/almanac-hosts.conf ]] ||
        install -m 644 -- "$checkout/deploy/nginx/almanac-hosts.conf" "$etc/nginx/"
    ln -sfn -- /etc/almanac/nginx/almanac.conf "$root/etc/nginx/conf.d/almanac.conf"
    ln -sfn -- /etc/almanac/nginx/almanac-hosts.conf "$root/etc/nginx/almanac-hosts.conf"
    make_host_certificate "$etc/tls"
}

# Readable by root, and by the group that is named.
keep_host_secret() {
    local file=$1 group=$2 mode=$3
    if [[ ! -s $file ]]; then
        (umask 077 && openssl rand -hex 24 | tr -d '\n' >"$file.new" && mv -- "$file.new" "$file")
    fi
    chmod "$mode" "$file"
    [[ -n $root ]] || chown "root:$group" "$file"
}

# Only localhost gets a certificate made here; a name of one's own needs one that the world knows.
make_host_certificate() {
    tls=$1
    if [[ -s $tls/server.pem && ! -e $tls/ca.key ]]; then
        return 0
    fi
    [[ $host == localhost ]] ||
        fail "put the certificate of $host into $tls/server.pem and its key into $tls/server.key, then run this again"
    # shellcheck disable=SC2034 # for make_certificate
    environments=("$environment")
    make_certificate
}

# In the cluster of this host; an environments.json that names other servers is left to its author.
make_host_databases() {
    local name database
    while IFS=$'\t' read -r name database; do
        say "Database $database of $name."
        make_host_roles "$database" 'shared_login keep' ||
            fail "the database of $name could not be made: is PostgreSQL running (systemctl status postgresql)?"
    done < <(list_local_databases)
    name_own_logins
    almanac migrate || fail "the databases could not be migrated"
}

make_host_roles() {
    {
        printf '\\set database %s\n' "$1"
        printf '\\set owner_password %s\n' "$(</etc/almanac/secrets/owner.password)"
        printf '\\set worker_password %s\n' "$(</etc/almanac/secrets/worker.password)"
        printf '\\set %s\n' "$2"
        cat -- "$checkout/sql/roles.sql"
    } | as_user postgres psql -X -q -w -v ON_ERROR_STOP=1 -d postgres >/dev/null
}

# The workers of earlier releases shared one login, almanac_worker. Where environments.json names it, the environment's
# own takes its place; everything else in the file stays as it is.
name_own_logins() {
    local file=/etc/almanac/environments.json text name database place
    text=$(<"$file")
    while IFS=$'\t' read -r name database place; do
        [[ $text == *"\"$place\""* ]] || continue
        text=${text//"\"$place\""/"\"$(own_login "$database" "$place")\""}
        say "Environment $name: its workers log in as ${database}_worker now, and can open no other database."
    done < <(list_shared_logins)
    [[ $text != "$(<"$file")" ]] || return 0
    cp -p -- "$file" "$file.new"
    printf '%s\n' "$text" >"$file.new"
    cp -p -- "$file" "$file~"
    mv -- "$file.new" "$file"
    say "$file was changed so; the former one is $file~."
}

own_login() {
    sed -E "s/(^|[[:space:]])user=almanac_worker([[:space:]]|$)/\\1user=$1_worker\\2/" <<<"$2"
}

# Once no process has the shared login any more.
end_shared_login() {
    local name database
    if [[ -n $(list_shared_logins) ]]; then
        warn "workers still share the login almanac_worker, which can open several databases: name DATABASE_worker in its place in /etc/almanac/environments.json, then run this again"
        return 0
    fi
    while IFS=$'\t' read -r name database; do
        make_host_roles "$database" 'shared_login end' || fail "the shared login of $name could not be ended"
    done < <(list_local_databases)
}

# Environments whose database is in the cluster of this host.
list_local_databases() {
    jq -r 'to_entries[] | (.value.owner.database // .value.database) as $place
        | select($place | test("(^|\\s)host=(localhost|127\\.0\\.0\\.1|/run/postgresql)(\\s|$)"))
        | [.key, ($place | capture("(^|\\s)dbname=(?<name>[A-Za-z0-9_-]+)").name)] | @tsv' /etc/almanac/environments.json
}

# Environments of this host whose workers log in as almanac_worker: name, database, connection string.
list_shared_logins() {
    jq -r 'to_entries[] | .value.database as $place
        | select($place | test("(^|\\s)host=(localhost|127\\.0\\.0\\.1|/run/postgresql)(\\s|$)"))
        | select($place | test("(^|\\s)user=almanac_worker(\\s|$)"))
        | [.key, ($place | capture("(^|\\s)dbname=(?<name>[A-Za-z0-9_-]+)").name), $place] | @tsv' /etc/almanac/environments.json
}

nginx_is_active() {
    systemctl is-active --quiet nginx
}

# The sockets stay open while the services restart.
start_services() {
    local unit
    systemctl daemon-reload
    systemctl enable --quiet "${sockets_and_services[@]}"
    systemctl start almanac-{worker,events}.socket
    # Masked by the operator, it stays off.
    [[ $(systemctl is-enabled almanac-backup.timer 2>/dev/null) == masked ]] ||
        systemctl enable --quiet --now almanac-backup.timer
    for unit in "${server_programs[@]}"; do
        systemctl restart "$unit.service"
    done
    command nginx -t -q || fail "nginx refuses its configuration and goes on with the former: see the lines above"
    systemctl enable --quiet nginx
    systemctl reload-or-restart nginx
}

remove_files() {
    local file
    for file in almanac "${server_programs[@]}"; do
        rm -f -- "$root/usr/bin/$file"
    done
    for file in "${sockets_and_services[@]}" "${backup_units[@]}"; do
        rm -f -- "$root/usr/lib/systemd/system/$file"
    done
    rm -f -- "$root/usr/lib/sysusers.d/almanac.conf" "$root"/etc/nginx/almanac-*.conf "$root/etc/nginx/conf.d/almanac.conf"
    rm -rf -- "$root/usr/share/almanac" "$root/var/lib/nginx/almanac"
}
