# shellcheck shell=bash
# Almanac on a Debian host: its files, its user, its databases and its services.
#
#   /usr/bin           almanac, almanac-worker, almanac-events
#   /usr/share/man     almanac.1, and a page for each of its commands
#   /usr/share/almanac sql, www (see pages.sh), README.md, deploy/OPERATING.md, deploy/COMMANDS.md, deploy/operating
#   /etc/almanac       environments.json, secrets, tls, nginx; optionally worker.env and events.env
#   /etc/nginx         almanac-*.conf; almanac-hosts.conf and conf.d/almanac.conf are links to /etc/almanac/nginx
#   /run/almanac       the sockets, created by systemd

server_programs=(almanac-worker almanac-events)
sockets_and_services=(almanac-{worker,events}.{socket,service})
backup_units=(almanac-backup.{timer,service})
restarted_services=(postgresql@.service nginx.service)
environments_file=/etc/almanac/environments.json
local_hosts=(localhost 127.0.0.1 /run/postgresql)

check_host_options() {
    [[ $environment =~ ^[a-z][a-z0-9-]{0,31}$ ]] || fail "--environment must match [a-z][a-z0-9-]{0,31}, not \"$environment\""
    [[ $host =~ ^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$ ]] || fail "--host must be a host name, not \"$host\""
    [[ $port =~ ^[1-9][0-9]{0,4}$ && $port -le 65535 ]] || fail "--port must be a number from 1 to 65535, not \"$port\""
    set_page_hosts "${console:-console.$host}" "${notes:-notes.$host}"
    check_page_host console
    check_page_host notes
    [[ ${page_hosts[console]} == off || ${page_hosts[console]} != "${page_hosts[notes]}" ]] ||
        fail "--console and --notes must be different hosts, so that their sessions stay separate"
    [[ -z $programs || -x $programs/almanac-worker ]] || fail "there is no almanac-worker in $programs"
    [[ -z $programs || -f $programs/textmerge.wasm ]] ||
        fail "there is no textmerge.wasm in $programs; copy it from .build/release"
    [[ -z $root || $root == /* ]] || root=$PWD/$root
    [[ -z $root || -z $(missing_packages "${page_packages[@]}") ]] ||
        fail "installing the pages needs Debian's ${page_packages[*]}; run apt-get install ${page_packages[*]}"
    if [[ -z $root ]]; then
        ((EUID == 0)) || fail "this needs root; run sudo env \"PATH=\$PATH\" $program"
        [[ -d /run/systemd/system ]] || fail "systemd is not running on this host; with --root FOLDER, only files are written"
    fi
}

check_page_host() {
    local name=${page_hosts[$1]}
    page_host_is_valid "$name" || fail "--$1 must be a host name, or off, not \"$name\""
    [[ $name != "$host" ]] || fail "--$1 must be another host than --host, so that their sessions stay separate"
}

# Builds the programs, unless they were given.
provide_programs() {
    [[ -z $programs ]] || return 0
    check_toolchain
    logs=$(mktemp -d /tmp/almanac-build-XXXXXX)
    [[ -n $root ]] || install_packages "${build_packages[@]}"
    build_release
    rm -rf -- "$logs"
    programs=${ALMANAC_PROGRAMS:-$checkout/.build/release}
}

copy_files() {
    local file
    install -d "$root"/usr/{bin,share/almanac/deploy,lib/systemd/system,lib/sysusers.d} "$root"/etc/nginx/conf.d
    for file in almanac "${server_programs[@]}"; do
        # A running program keeps its old file, so the new one gets its own.
        install -m 755 -- "$programs/$file" "$root/usr/bin/$file.new"
        strip -- "$root/usr/bin/$file.new"
        mv -- "$root/usr/bin/$file.new" "$root/usr/bin/$file"
    done
    remove_manual
    install -d "$root/usr/share/man/man1"
    "$programs/almanac" man "$root/usr/share/man/man1" || fail "the manual pages could not be written"
    rm -rf -- "$root/usr/share/almanac/sql"
    cp -r -- "$checkout/sql" "$checkout/README.md" "$root/usr/share/almanac/"
    publish_pages "$checkout/Sources/Web" "$root/usr/share/almanac/www" "$programs/textmerge.wasm"
    # The operator's site from an earlier release may name the folder above as its root.
    for file in "$checkout"/Sources/Web/api/*.* openapi.{yaml,json}; do
        ln -sfn "api/${file##*/}" "$root/usr/share/almanac/www/"
    done
    # The links of the pages lead to these files.
    cp -r -- "$checkout"/deploy/{OPERATING.md,COMMANDS.md,operating} "$root/usr/share/almanac/deploy/"
    rm -f -- "$root/usr/share/almanac/deploy/www"
    chmod -R u=rwX,go=rX -- "$root/usr/share/almanac"
    install -m 644 -- "$checkout"/deploy/systemd/*.{socket,service,timer} "$root/usr/lib/systemd/system/"
    install -m 644 -- "$checkout/deploy/systemd/almanac.conf" "$root/usr/lib/sysusers.d/"
    for file in "${restarted_services[@]}"; do
        install -D -m 644 -- "$checkout/deploy/systemd/restart.conf" "$root/usr/lib/systemd/system/$file.d/almanac.conf"
    done
    copy_nginx_files "$root/etc/nginx"
}

# Fails if nginx would refuse the operator's own configuration together with the files of this release, before anything
# is changed. nginx checks a copy of its configuration with the new files.
refuse_unfit_site() {
    local site=/etc/almanac/nginx/almanac.conf
    [[ -e $site ]] || return 0
    nginx_trial=$(mktemp -d /tmp/almanac-nginx-XXXXXX)
    cp -a -- /etc/nginx/. "$nginx_trial"
    # Debian refers to its own files by absolute paths. The site refers to Almanac's files relative to nginx.conf.
    sed -i "s#/etc/nginx/#$nginx_trial/#g" "$nginx_trial/nginx.conf"
    copy_nginx_files "$nginx_trial"
    ln -sfn -- "$site" "$nginx_trial/conf.d/almanac.conf"
    ln -sfn -- /etc/almanac/nginx/almanac-hosts.conf "$nginx_trial/almanac-hosts.conf"
    if ! command nginx -t -q -c "$nginx_trial/nginx.conf" 2>"$nginx_trial/errors"; then
        warn "nginx would refuse this version's configuration together with $site:"
        sed "s#$nginx_trial/#/etc/nginx/#g; s/^/    /" "$nginx_trial/errors" >&2
        site_from_template >"$site.new"
        warn "lines that a new installation has in $site, and your file lacks:"
        { diff -- "$site" "$site.new" || true; } | sed -n 's/^> /    /p' >&2
        fail "nothing was changed; add the missing lines to $site ($site.new has all lines), then run $program again"
    fi
    rm -rf -- "$nginx_trial"
}

copy_nginx_files() {
    local file
    for file in "$checkout"/deploy/nginx/almanac-*.conf; do
        # The operator fills in the names of hosts (see make_settings).
        [[ $file == */almanac-hosts.conf ]] || install -m 644 -- "$file" "$1/"
    done
}

site_from_template() {
    local text addresses=("$port") also
    text=$(<"$checkout/deploy/nginx/site.conf.template")
    if has_ipv6_loopback; then
        addresses+=("[::]:$port")
    else
        text=$(sed '/listen \[::\]/d' <<<"$text")
    fi
    text=${text//@host@/"$host"}
    printf '%s\n' "${text//@port@/"$port"}"
    # Other servers of this host must not get these lines.
    also=$(sed -n '/access_log/,/almanac-tls/p' "$checkout/deploy/nginx/site.conf.template")
    render_page_hosts "$checkout/deploy/nginx/pages.conf.template" /usr/share/almanac/www "${also#"${also%%[! ]*}"}" "${addresses[@]}"
}

# Shows the hosts of the pages in the operator's site; the site of an earlier release has none.
show_page_hosts() {
    local site=/etc/almanac/nginx/almanac.conf application name
    for application in console notes; do
        name=$(page_host_of_site "$application" "$site")
        if [[ -z $name ]]; then
            [[ ${page_hosts[$application]} == off ]] ||
                say "The $application is not served, because $site names no host for it (deploy/operating/pages.md)."
            continue
        fi
        say "The $application: https://$name:$port"
    done
}

# Prints the host of an application's pages in an operator's site; nothing if there is none.
page_host_of_site() {
    sed -n "/server_name/h; /almanac_application $1;/{x; s/.*server_name *//; s/[; ].*//p}" "$2"
}

# Creates missing settings. Existing files belong to the operator.
make_settings() {
    local etc=$root/etc/almanac text
    install -d -m 755 "$etc" "$etc/nginx"
    # A folder of the operator's keeps its permissions.
    [[ -e $etc/tls ]] || install -d -m 755 "$etc/tls"
    install -d -m 711 "$etc/secrets"
    keep_host_secret "$etc/secrets/owner.password" root 600
    keep_host_secret "$etc/secrets/worker.password" almanac 640
    if [[ ! -e $etc/environments.json ]]; then
        text=$(<"$checkout/deploy/systemd/environments.json.template")
        printf '%s\n' "${text//@environment@/"$environment"}" >"$etc/environments.json"
    fi
    [[ -e $etc/nginx/almanac.conf ]] || site_from_template >"$etc/nginx/almanac.conf"
    # Removes the rest of an installation that was refused (see refuse_unfit_site).
    rm -f -- "$etc/nginx/almanac.conf.new"
    [[ -e $etc/nginx/almanac-hosts.conf ]] ||
        install -m 644 -- "$checkout/deploy/nginx/almanac-hosts.conf" "$etc/nginx/"
    ln -sfn -- /etc/almanac/nginx/almanac.conf "$root/etc/nginx/conf.d/almanac.conf"
    ln -sfn -- /etc/almanac/nginx/almanac-hosts.conf "$root/etc/nginx/almanac-hosts.conf"
    make_host_certificate
}

# Creates a secret that root and a group can read.
keep_host_secret() {
    local file=$1 group=$2 mode=$3
    if [[ ! -s $file ]]; then
        (umask 077 && openssl rand -hex 24 | tr -d '\n' >"$file.new" && mv -- "$file.new" "$file")
    fi
    chmod "$mode" "$file"
    [[ -n $root ]] || chown "root:$group" "$file"
}

# Fails with the faults of the certificate before anything is changed.
check_certificate_of_host() {
    local application hosts=("$host")
    tls=$root/etc/almanac/tls
    for application in $(served_applications); do
        hosts+=("${page_hosts[$application]}")
    done
    check_host_certificate "$root/etc/almanac/nginx/almanac.conf" "${hosts[@]}"
}

# Creates a certificate for localhost only; another name needs a certificate from a public authority. A site with other
# certificates needs none.
make_host_certificate() {
    grep -qF "/etc/almanac/tls/server.pem" "$root/etc/almanac/nginx/almanac.conf" || return 0
    # shellcheck disable=SC2034 # for make_certificate
    environments=()
    # --environment is for a first installation, and doesn't describe an existing one.
    is_present "$tls/server.pem" || environments=("$environment")
    make_certificate
}

# Fails with the faults of environments.json, found by the worker program as its user, before the file is used.
check_host_settings() {
    local reason
    reason=$(as_user almanac env "ALMANAC_ENVIRONMENTS=$environments_file" almanac-worker --check 2>&1 >/dev/null) ||
        fail "the check as the user almanac failed: ${reason#almanac-worker: } (the services continue unchanged; fix the file, then run $program again)"
}

# Creates the databases in this host's cluster. The operator prepares those on other servers.
make_host_databases() {
    local name host database worker_file owner_file
    while IFS=$'\x1f' read -r name host database worker_file owner_file; do
        say "Database $database of $name."
        {
            roles_settings "$database" "$worker_file" "$owner_file"
            printf '\\set shared_login keep\n'
            cat -- "$checkout/sql/roles.sql"
        } | run_on_host_cluster ||
            fail "the database of $name could not be created; check that PostgreSQL is running (systemctl status postgresql)"
    done < <(list_local_environments)
    name_own_logins
    almanac migrate || fail "the databases could not be migrated"
}

run_on_host_cluster() {
    as_user postgres psql -X -q -w -v ON_ERROR_STOP=1 -d postgres >/dev/null
}

# Ends the shared login once no process uses it.
end_shared_login() {
    local name host database worker_file owner_file
    if [[ -n $(list_shared_logins) ]]; then
        warn "workers still share the login almanac_worker, which can open several databases; replace almanac_worker with DATABASE_worker in /etc/almanac/environments.json, then run $program again"
        return 0
    fi
    while IFS=$'\x1f' read -r name host database worker_file owner_file; do
        {
            roles_settings "$database" "$worker_file" "$owner_file"
            printf '\\set shared_login end\n'
            cat -- "$checkout/sql/roles.sql"
        } | run_on_host_cluster || fail "the shared login of $name could not be removed"
    done < <(list_local_environments)
}

nginx_is_active() {
    systemctl is-active --quiet nginx
}

# Starts or restarts the services. The sockets stay open meanwhile.
start_services() {
    local unit
    systemctl daemon-reload
    systemctl enable --quiet "${sockets_and_services[@]}"
    systemctl start almanac-{worker,events}.socket
    # A timer masked by the operator stays off.
    [[ $(systemctl is-enabled almanac-backup.timer 2>/dev/null) == masked ]] ||
        systemctl enable --quiet --now almanac-backup.timer
    for unit in "${server_programs[@]}"; do
        systemctl restart "$unit.service"
    done
    command nginx -t -q || fail "nginx refuses its configuration and keeps the old one; see the lines above"
    systemctl enable --quiet nginx
    systemctl reload-or-restart nginx
}

remove_manual() {
    rm -f -- "$root"/usr/share/man/man1/almanac{,-*}.1
}

remove_files() {
    local file
    remove_manual
    for file in almanac "${server_programs[@]}"; do
        rm -f -- "$root/usr/bin/$file"
    done
    for file in "${sockets_and_services[@]}" "${backup_units[@]}"; do
        rm -f -- "$root/usr/lib/systemd/system/$file"
    done
    for file in "${restarted_services[@]}"; do
        rm -f -- "$root/usr/lib/systemd/system/$file.d/almanac.conf"
    done
    rm -f -- "$root/usr/lib/sysusers.d/almanac.conf" "$root"/etc/nginx/almanac-*.conf "$root/etc/nginx/conf.d/almanac.conf"
    rm -rf -- "$root/usr/share/almanac" "$root/var/lib/nginx/almanac"
}
