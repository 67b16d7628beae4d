#!/bin/bash
# Creates the missing passwords of the database roles and the missing certificate. Existing files stay unchanged. Faults
# of the certificate are reported before anything is created.
#
#   prepare.sh    as root, with the volumes of docker-compose.yml
#
# Each password has its own folder, because each service may see only its own password.
set -euo pipefail

secrets=/secrets
tls=/tls
environments_file=/etc/almanac/environments.json

# The user ids in the containers that read the files: Almanac's image, PostgreSQL's official image, Debian's nginx.
almanac=10001
postgres=999
nginx=33
provider=10002

source /usr/lib/almanac/certificate.sh
source /usr/lib/almanac/page-hosts.sh
set_page_hosts "$ALMANAC_CONSOLE" "$ALMANAC_NOTES"

say() {
    printf 'prepare: %s\n' "$*"
}

# Names the operator's own folder instead of its place in this container.
warn() {
    local text=$*
    say "${text//"$tls/"/"${ALMANAC_TLS:-$tls}/"}" >&2
}

fail() {
    warn "$@"
    exit 1
}

# Creates a password. Its service can read the file, and so can the container that passes passwords to PostgreSQL.
keep_password() {
    local file=$secrets/$1/password owner=$2 group=$3
    if [[ ! -s $file ]]; then
        (umask 077 && openssl rand -hex 24 | tr -d '\n' >"$file.new")
        chmod 440 "$file.new"
        chown "$owner:$group" "$file.new"
        mv -- "$file.new" "$file"
        say "created the password of $1"
    fi
}

# Prepares the checks of the certificate, which nginx reads without root's rights.
set_up_certificate() {
    # shellcheck disable=SC2034 # for certificate.sh
    as_reader=(setpriv "--reuid=$nginx" "--regid=$nginx" --clear-groups --)
    reader="$nginx (nginx in its container)"
    link_advice="the container sees the folder, but no target outside of it, so copy the files there instead of linking them"
    [[ -z ${ALMANAC_TLS:-} ]] || folder_setting="the folder $ALMANAC_TLS (ALMANAC_TLS)"
    # shellcheck disable=SC2034 # for make_certificate
    mapfile -t environments < <(jq -r 'keys[]' "$environments_file")
}

# Gives nginx the key of a certificate that was made here.
own_made_key() {
    ! is_made_here || chown "$nginx" "$tls/server.key"
}

keep_certificate() {
    make_certificate
    own_made_key
    say "the certificate is valid until $(openssl x509 -in "$tls/server.pem" -noout -enddate | cut -d= -f2)"
}

# Creates the certificate of the provider in the profile "provider". Only Almanac uses and trusts it.
keep_provider_certificate() {
    local folder=$secrets/provider
    [[ ! -s $folder/server.pem ]] || return 0
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj /CN=provider \
        -addext subjectAltName=DNS:provider -addext basicConstraints=critical,CA:FALSE \
        -keyout "$folder/server.key" -out "$folder/server.pem.new" 2>/dev/null
    chmod 400 "$folder/server.key"
    chown "$provider" "$folder/server.key"
    mv -- "$folder/server.pem.new" "$folder/server.pem"
}

# Gives a new folder of attachments to the workers, and lets nginx read it. Another folder is the operator's.
own_attachments() {
    [[ $(stat -c %u /var/attachments) == 0 ]] || return 0
    chmod 2750 /var/attachments
    chown "$almanac:$nginx" /var/attachments
}

[[ -s $environments_file ]] || fail "environments.json is missing from the folder that is mounted at /etc/almanac"
jq -e 'type == "object" and length > 0' "$environments_file" >/dev/null ||
    fail "environments.json must be a JSON object with a member per environment"
set_up_certificate
finish_pair server
own_made_key
check_certificate
check_page_names
keep_password superuser "$postgres" "$postgres"
keep_password owner "$almanac" "$postgres"
keep_password worker "$almanac" "$postgres"
keep_certificate
keep_provider_certificate
own_attachments
