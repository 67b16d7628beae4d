#!/bin/bash
# Creates the missing passwords of the database roles and the missing certificate. Existing files stay unchanged.
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
source /usr/lib/almanac/pages.sh
set_page_hosts "$ALMANAC_CONSOLE" "$ALMANAC_NOTES"

say() {
    printf 'prepare: %s\n' "$*"
}

fail() {
    say "$@" >&2
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

# Checks or creates the certificate. A certificate without its authority's key is the operator's own.
keep_certificate() {
    if [[ -s $tls/server.pem && ! -e $tls/ca.key ]]; then
        [[ -s $tls/server.key ]] || fail "the certificate server.pem has no key; put its key into server.key"
        openssl x509 -in "$tls/server.pem" -noout -checkend 0 >/dev/null ||
            fail "the certificate in server.pem has expired"
        say "using the existing certificate"
        return 0
    fi
    # shellcheck disable=SC2034 # for make_certificate
    mapfile -t environments < <(jq -r 'keys[]' "$environments_file")
    make_certificate
    chown "$nginx" "$tls/server.key"
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

[[ -s $environments_file ]] || fail "environments.json is missing from the folder that is mounted at /etc/almanac"
jq -e 'type == "object" and length > 0' "$environments_file" >/dev/null ||
    fail "environments.json must be a JSON object with a member per environment"
keep_password superuser "$postgres" "$postgres"
keep_password owner "$almanac" "$postgres"
keep_password worker "$almanac" "$postgres"
keep_certificate
keep_provider_certificate
