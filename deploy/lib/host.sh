# shellcheck shell=bash
# A Debian host with the package almanac: its settings, its databases and its services.
#
#   /usr/bin            almanac, almanac-worker, almanac-events
#   /usr/sbin           almanac-setup
#   /usr/lib/almanac    the parts of almanac-setup
#   /usr/share/almanac  sql, www (see pages.sh), nginx, README.md, and the pages of deploy for operators
#   /etc/almanac        environments.json, secrets, tls, nginx; worker.env, events.env and backup.env
#   /etc/nginx          almanac-limits.conf; links to the other files in /usr/share/almanac/nginx and /etc/almanac/nginx
#   /run/almanac        the sockets, created by systemd
#
# The sourcing script sets share to /usr/share/almanac.

environments_file=/etc/almanac/environments.json
tls=/etc/almanac/tls
local_hosts=(localhost 127.0.0.1 /run/postgresql)

# Creates missing settings. Existing files belong to the operator.
make_settings() {
    local etc=/etc/almanac text
    install -d -m 755 "$etc" "$etc/nginx"
    # A folder of the operator's keeps its permissions.
    [[ -e $tls ]] || install -d -m 755 "$tls"
    install -d -m 711 "$etc/secrets"
    keep_host_secret "$etc/secrets/owner.password" root 600
    keep_host_secret "$etc/secrets/worker.password" almanac 640
    [[ -e $etc/nginx/almanac-hosts.conf ]] ||
        install -m 644 -- "$share/nginx/hosts.conf.example" "$etc/nginx/almanac-hosts.conf"
    if [[ ! -e $site ]]; then
        site_from_template >"$site.new"
        mv -- "$site.new" "$site"
    fi
    # Removes the rest of an upgrade that was refused (see refuse_unfit_site).
    rm -f -- "$site.new"
    make_host_certificate
    ln -sfn -- "$site" /etc/nginx/conf.d/almanac.conf
    if [[ ! -e $environments_file ]]; then
        text=$(<"$share/environments.json.template")
        text=${text//@environment@/"$environment"}
        if [[ ${page_hosts[console]} == off ]]; then
            grep -v '"console"' <<<"$text" >"$environments_file.new"
        else
            printf '%s\n' "${text//@origin@/"$(console_origin)"}" >"$environments_file.new"
        fi
        mv -- "$environments_file.new" "$environments_file"
    fi
}

# Prints the address of the console, without the port of HTTPS.
console_origin() {
    printf 'https://%s' "${page_hosts[console]}"
    ((port == 443)) || printf ':%s' "$port"
}

# Creates a secret that root and a group can read.
keep_host_secret() {
    local file=$1 group=$2 mode=$3
    if [[ ! -s $file ]]; then
        (umask 077 && openssl rand -hex 24 | tr -d '\n' >"$file.new" && mv -- "$file.new" "$file")
    fi
    chmod "$mode" "$file"
    chown "root:$group" "$file"
}

# Fails with the faults of the certificate before anything is changed.
check_certificate_of_host() {
    local application hosts=("$host")
    for application in $(served_applications); do
        hosts+=("${page_hosts[$application]}")
    done
    check_host_certificate "$site" "${hosts[@]}"
}

# Creates a certificate for localhost only; another name needs a certificate from a public authority. A site with other
# certificates needs none.
make_host_certificate() {
    grep -qF "$tls/server.pem" "$site" || return 0
    # shellcheck disable=SC2034 # for make_certificate
    environments=()
    # The name is for a first environment, and doesn't describe an existing installation.
    is_present "$tls/server.pem" || environments=(${environment:+"$environment"})
    make_certificate
}

# Fails with the faults of environments.json, found by the worker program as its user, before the file is used.
check_host_settings() {
    local reason
    reason=$(runuser -u almanac -- env "ALMANAC_ENVIRONMENTS=$environments_file" almanac-worker --check 2>&1 >/dev/null) ||
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
            cat -- "$share/sql/roles.sql"
        } | run_on_host_cluster ||
            fail "the database of $name could not be created; check that PostgreSQL is running (systemctl status postgresql)"
    done < <(list_local_environments)
    name_own_logins
    almanac migrate || fail "the databases could not be migrated"
}

run_on_host_cluster() {
    runuser -u postgres -- psql -X -q -w -v ON_ERROR_STOP=1 -d postgres >/dev/null
}

# Ends the shared login once no process uses it.
end_shared_login() {
    local name host database worker_file owner_file
    if [[ -n $(list_shared_logins) ]]; then
        warn "workers still share the login almanac_worker, which can open several databases; replace almanac_worker with DATABASE_worker in $environments_file, then run $program again"
        return 0
    fi
    while IFS=$'\x1f' read -r name host database worker_file owner_file; do
        {
            roles_settings "$database" "$worker_file" "$owner_file"
            printf '\\set shared_login end\n'
            cat -- "$share/sql/roles.sql"
        } | run_on_host_cluster || fail "the shared login of $name could not be removed"
    done < <(list_local_environments)
}

# Starts the services, or makes the running ones read the settings. The sockets stay open meanwhile.
start_services() {
    local action=$1
    systemctl start almanac-{worker,events}.socket
    systemctl "$action" almanac-{worker,events}.service ||
        fail "the services did not take the settings; see journalctl -u almanac-worker -u almanac-events"
    command nginx -t -q || fail "nginx refuses its configuration and keeps the old one; see the lines above"
    systemctl enable --quiet nginx
    systemctl reload-or-restart nginx
}

# Shows the hosts of the pages in the operator's site; the site of an earlier release has none.
show_page_hosts() {
    local application name
    for application in console notes; do
        name=$(page_host_of_site "$application")
        if [[ -z $name ]]; then
            [[ ${page_hosts[$application]} == off ]] ||
                say "The $application is not served, because $site names no host for it (deploy/operating/pages.md)."
            continue
        fi
        say "The $application: https://$name:$port"
    done
}
