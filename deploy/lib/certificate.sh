# shellcheck shell=bash
# The certificate authority of this instance, valid for localhost only, and the server's certificate.
#
# Files that were not created here are the operator's: they are checked, and never replaced. Nothing is created in a
# folder that the operator has chosen.

# The command that runs another as the user that reads the certificate; empty for the user of this script.
as_reader=()
reader=$(id -un)
# The setting with which the operator has chosen the folder; empty for the folder of this instance.
folder_setting=
# The certificate whose missing chain was reported, which happens once.
without_chain=
# The advice for a link whose target does not exist.
link_advice="renew the certificate (certbot renew), or correct the link"

# Creates missing certificates. Renews those created here that are not valid yet, expire soon or lack a name.
make_certificate() {
    local fault authority_fault
    check_certificate
    if ! is_present "$tls/server.pem"; then
        [[ -e $tls/ca.pem ]] || make_authority
        make_server_certificate
        return 0
    fi
    is_made_here || return 0
    authority_fault=$(fault_of_term "$tls/ca.pem" 60)
    fault=$(fault_of_term "$tls/server.pem" 30)
    if [[ -z $fault$authority_fault ]]; then
        [[ -n $(missing_names) ]] || return 0
        fault="lacks $(missing_names | paste -sd' ')"
    fi
    say "The certificate ${fault:-is of an authority that $authority_fault}; creating a new one. The old certificate is in $tls/server.pem~."
    cp --preserve=mode,timestamps -- "$tls/server.pem" "$tls/server.pem~"
    cp --preserve=mode,timestamps -- "$tls/server.key" "$tls/server.key~"
    if [[ -n $authority_fault ]]; then
        say "The certificate authority $authority_fault; clients need the new $tls/ca.pem."
        make_authority
    fi
    make_server_certificate
}

# Returns true if there is a file, or a link whose target does not exist: certbot's, while the target is away.
is_present() {
    [[ -e $1 || -L $1 ]]
}

# Fails if the files are unusable, or if creating others would lose them. Changes none of the operator's files.
check_certificate() {
    local fault
    finish_pair ca
    finish_pair server
    if is_present "$tls/server.pem" || is_present "$tls/server.key"; then
        is_present "$tls/server.key" || fail "the certificate $tls/server.pem has no key; put its key into $tls/server.key"
        is_present "$tls/server.pem" || fail "the key $tls/server.key has no certificate; put its certificate into $tls/server.pem, or move the key away"
        check_pair "$tls/server.pem" "$tls/server.key"
        is_made_here || check_term "$tls/server.pem"
    elif [[ -n $folder_setting || -L $tls ]]; then
        fail "there is no certificate in ${folder_setting:-$tls, which is a link}; put the certificate with its chain into server.pem there, and its key into server.key (nothing is created in a folder that you have chosen)"
    elif is_present "$tls/ca.pem" || is_present "$tls/ca.key"; then
        # Only this script reads the authority's key.
        local as_reader=() reader
        reader=$(id -un)
        is_present "$tls/ca.pem" || fail "the certificate authority's key $tls/ca.key has no certificate; put its certificate into $tls/ca.pem, or move the key away"
        is_present "$tls/ca.key" || fail "the certificate authority $tls/ca.pem has neither a key nor a server certificate; put its key into $tls/ca.key or a certificate into $tls/server.pem, or move ca.pem away"
        check_pair "$tls/ca.pem" "$tls/ca.key"
        fault=$(fault_of_term "$tls/ca.pem" 60)
        [[ -z $fault ]] ||
            fail "the certificate authority $tls/ca.pem $fault; replace ca.pem and ca.key, or move both files away"
    fi
}

# Fails unless the server can read both files, and they have the same public key.
check_pair() {
    local certificate=$1 key=$2 of_certificate of_key
    check_readable "$certificate"
    check_readable "$key"
    of_certificate=$(openssl x509 -in "$certificate" -noout -pubkey 2>/dev/null </dev/null) ||
        fail "$certificate is not a PEM certificate (-----BEGIN CERTIFICATE-----); replace the file"
    ! grep -q ENCRYPTED "$key" ||
        fail "the key $key has a password, which nobody can enter when nginx starts; write the key without one: openssl pkey -in OLD -out NEW"
    of_key=$(openssl pkey -in "$key" -passin pass: -pubout 2>/dev/null </dev/null) ||
        fail "$key is not a PEM key (-----BEGIN PRIVATE KEY-----); replace the file"
    [[ $of_certificate == "$of_key" ]] ||
        fail "the certificate $certificate does not match the key $key; replace one of them (in a file with a chain, the server's certificate comes first)"
}

# Fails unless the server's user can read a file. Names the target of a link.
check_readable() {
    local file=$1 reason name=$1
    reason=$(LC_ALL=C "${as_reader[@]}" cat -- "$file" 2>&1 >/dev/null) && return 0
    [[ ! -L $file ]] || name+=", a link to $(readlink -- "$file"),"
    case ${reason##*: } in
        'No such file or directory' | 'Too many levels of symbolic links')
            fail "$name leads to no file; expected a PEM file: $link_advice"
            ;;
        *) fail "the user $reader cannot read $name (${reason##*: }); let the user read the file and enter its folders" ;;
    esac
}

# Fails if the operator's certificate has expired or is not valid yet. Warns about a missing chain.
check_term() {
    local certificate=$1 text
    openssl x509 -in "$certificate" -noout -checkend 0 >/dev/null ||
        fail "the certificate $certificate has expired; put a valid certificate there, and its key beside it"
    has_begun "$certificate" ||
        fail "the certificate $certificate is not valid before $(start_of "$certificate"); correct the clock of this host (now $(LC_ALL=C date -u)), or put a valid certificate there, and its key beside it"
    (($(grep -c '^-----BEGIN CERTIFICATE-----' "$certificate") < 2)) || return 0
    # Only a public authority names the address of its own certificate, and only an intermediate one signs.
    text=$(openssl x509 -in "$certificate" -noout -ext authorityInfoAccess 2>/dev/null) || return 0
    [[ $text == *'CA Issuers'* && $certificate != "$without_chain" ]] || return 0
    without_chain=$certificate
    warn "$certificate has no chain, so programs other than browsers refuse it; put the intermediate certificates behind it (certbot's fullchain.pem instead of cert.pem)"
}

# Prints the hosts that a certificate does not name. Arguments: the certificate, the hosts.
unnamed_hosts() {
    local certificate=$1 host
    shift
    for host in "$@"; do
        # openssl also accepts the common name, which browsers ignore.
        [[ -n $(names_in "$certificate") && $(openssl x509 -in "$certificate" -noout -checkhost "$host") == *'does match'* ]] ||
            printf '%s\n' "$host"
    done
}

# Checks that the operator's certificate names the hosts of the pages. Names that end in .localhost only cause a warning:
# they are this machine's own, and no public authority certifies them.
check_page_names() {
    local application host setting
    is_present "$tls/server.pem" && ! is_made_here || return 0
    for application in $(served_applications); do
        host=${page_hosts[$application]}
        setting=ALMANAC_${application^^}
        [[ -n $(unnamed_hosts "$tls/server.pem" "$host") ]] || continue
        [[ $host == *.localhost ]] ||
            fail "the certificate $tls/server.pem does not name $host ($setting); get a certificate that names this host too, or set $setting to a host that the certificate names, or to off"
        warn "the certificate $tls/server.pem does not name $host, so browsers refuse the $application; set $setting to a host that the certificate names, or to off"
    done
}

# Checks the certificates of a host of almanac-setup before anything is changed: those that the operator's site names,
# or that of a new site. Arguments: the site, the hosts of a new site.
check_host_certificate() {
    local site=$1 certificate key names checked=' '
    shift
    if [[ ! -e $site ]]; then
        is_present "$tls/server.pem" || is_present "$tls/server.key" || refuse_public_hosts "$@"
        check_certificate
        check_host_names "$tls/server.pem" fail "$@"
        return 0
    fi
    while read -r certificate key names; do
        # shellcheck disable=SC2086 # one word for each host
        [[ $certificate != "$tls/server.pem" ]] || is_present "$certificate" || refuse_public_hosts $names
        if [[ $checked != *" $certificate "* ]]; then
            checked+="$certificate "
            if [[ $certificate == "$tls/server.pem" ]]; then
                check_certificate
            else
                check_pair "$certificate" "$key"
                check_term "$certificate"
            fi
        fi
        # shellcheck disable=SC2086
        check_host_names "$certificate" warn $names
    done < <(site_certificates "$site")
}

# Fails if one of the hosts needs a certificate from a public authority.
refuse_public_hosts() {
    local name
    for name in "$@"; do
        is_own_name "$name" ||
            fail "there is no certificate for $name; put it with its chain into $tls/server.pem and its key into $tls/server.key (links work), then run $program again; nothing was changed"
    done
}

# Returns true for the names that the authority created here may certify.
is_own_name() {
    [[ $1 == localhost || $1 == *.localhost ]]
}

# Reports the hosts that a certificate does not name; own names are added to a certificate that is created here.
# Arguments: the certificate, fail or warn, the hosts.
check_host_names() {
    local certificate=$1 report=$2 name
    shift 2
    is_present "$certificate" || return 0
    while read -r name; do
        if [[ $certificate != "$tls/server.pem" ]] || ! is_own_name "$name" || ! is_made_here; then
            "$report" "the certificate $certificate does not name $name, so clients refuse that host; get a certificate that names it too, or choose other hosts (--host, --console, --notes; in an existing site: server_name)"
        fi
    done < <(unnamed_hosts "$certificate" "$@")
}

# Prints a line for each server of a site of nginx: its certificate, its key, and its names.
site_certificates() {
    sed 's/#.*//; s/[;{]/ & /g' "$1" | awk '
        $1 == "server" && $2 == "{" { certificate = key = names = "" }
        $1 == "ssl_certificate" { certificate = $2 }
        $1 == "ssl_certificate_key" { key = $2 }
        $1 == "server_name" { for (i = 2; i <= NF && $i != ";"; i++) if ($i ~ /^[a-z0-9][a-z0-9.-]*$/) names = names " " $i }
        /^}/ { if (certificate && names) print certificate, key, names; certificate = "" }'
}

# Returns true if the server's certificate is from the authority created here, and the authority's key still exists.
is_made_here() {
    [[ -s $tls/ca.key && -s $tls/ca.pem ]] || return 1
    [[ $(openssl x509 -in "$tls/ca.pem" -noout -subject 2>/dev/null) == *"Almanac local CA"* ]] || return 1
    openssl verify -no_check_time -no-CApath -no-CAstore -CAfile "$tls/ca.pem" "$tls/server.pem" >/dev/null 2>&1
}

# Prints the reason to replace a certificate that was created here: it is not valid yet, or expires within some days.
fault_of_term() {
    local certificate=$1 days=$2
    if ! has_begun "$certificate"; then
        printf 'is not valid before %s\n' "$(start_of "$certificate")"
    elif ! openssl x509 -in "$certificate" -noout -checkend $((days * 86400)) >/dev/null; then
        printf 'expires within %s days\n' "$days"
    fi
}

has_begun() {
    (($(date -d "$(start_of "$1")" +%s) <= $(date +%s)))
}

# Prints the first moment at which a certificate is valid.
start_of() {
    openssl x509 -in "$1" -noout -startdate | cut -d= -f2
}

# Creates an authority with name constraints, so that a browser trusts it for this machine's own addresses only.
make_authority() {
    new_key "$tls/ca.key"
    openssl req -x509 -new -key "$tls/ca.key.new" -sha256 -days 3650 -out "$tls/ca.pem.new" -config - <<END
[req]
prompt = no
distinguished_name = name
x509_extensions = authority
[name]
CN = Almanac local CA ($(uname -n), $(date -u +%F))
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
nameConstraints = critical, @only
[only]
permitted;DNS.0 = localhost
permitted;IP.0 = 127.0.0.0/255.0.0.0
permitted;IP.1 = ::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
END
    put_pair ca
}

# Prints the names for a certificate: those of environments and pages that the authority may certify.
wanted_names() {
    local environment application
    printf 'localhost\n'
    for environment in "${environments[@]}"; do
        printf '%s.localhost\n' "$environment"
    done
    for application in $(served_applications); do
        [[ ${page_hosts[$application]} != *.localhost ]] || printf '%s\n' "${page_hosts[$application]}"
    done
}

present_names() {
    [[ ! -s $tls/server.pem ]] || names_in "$tls/server.pem"
}

names_in() {
    openssl x509 -in "$1" -noout -ext subjectAltName 2>/dev/null | grep -oP 'DNS:\K[^, ]+' || true
}

missing_names() {
    comm -23 <(wanted_names | sort) <(present_names | sort)
}

# Creates a certificate that also has the names of the former one.
make_server_certificate() {
    local names
    names=$({ wanted_names && present_names; } | awk '!seen[$0]++ { printf "%sDNS:%s", (NR > 1 ? "," : ""), $0 }')
    new_key "$tls/server.key"
    openssl req -new -key "$tls/server.key.new" -subj "/CN=localhost" -out "$tls/server.csr"
    openssl x509 -req -in "$tls/server.csr" -CA "$tls/ca.pem" -CAkey "$tls/ca.key" -sha256 -days 825 \
        -set_serial "0x$(openssl rand -hex 16)" -out "$tls/server.pem.new" -extfile - 2>/dev/null <<END
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = $names,IP:127.0.0.1,IP:::1
END
    rm -f -- "$tls/server.csr"
    put_pair server
}

# Creates a key under a temporary name, until put_pair.
new_key() {
    (umask 077 && openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.new" 2>/dev/null)
}

put_pair() {
    chmod 644 "$tls/$1.pem.new"
    mv -- "$tls/$1.key.new" "$tls/$1.key"
    finish_pair "$1"
}

# Puts a certificate that was created here in place, also if put_pair was killed between its two moves.
finish_pair() {
    [[ ! -e $tls/ca.key || ! -e $tls/$1.pem.new || -e $tls/$1.key.new ]] || mv -- "$tls/$1.pem.new" "$tls/$1.pem"
}
