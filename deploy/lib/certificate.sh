# shellcheck shell=bash
# The certificate authority of this instance, valid for localhost only, and the server's certificate.
#
# Files that were not created here are the operator's: they are checked, and never replaced.

day=86400

# Creates missing certificates, and renews those created here before they expire.
make_certificate() {
    check_certificate
    if [[ ! -e $tls/server.pem ]]; then
        [[ -e $tls/ca.pem ]] || make_authority
        make_server_certificate
    elif is_made_here && ! { is_valid_for "$tls/ca.pem" $((60 * day)) && is_valid_for "$tls/server.pem" $((30 * day)); }; then
        say "The certificate expires soon; creating a new one. The old certificate is in $tls/server.pem~."
        cp --preserve=mode,timestamps -- "$tls/server.pem" "$tls/server.pem~"
        cp --preserve=mode,timestamps -- "$tls/server.key" "$tls/server.key~"
        if ! is_valid_for "$tls/ca.pem" $((60 * day)); then
            say "The certificate authority expires soon too; clients need the new $tls/ca.pem."
            make_authority
        fi
        make_server_certificate
    elif is_made_here && [[ -n $(missing_names) ]]; then
        say "The certificate lacks $(missing_names | paste -sd' '); creating a new one with the same authority. The old certificate is in $tls/server.pem~."
        cp --preserve=mode,timestamps -- "$tls/server.pem" "$tls/server.pem~"
        cp --preserve=mode,timestamps -- "$tls/server.key" "$tls/server.key~"
        make_server_certificate
    fi
}

# Fails if the files are unusable, or if creating others would lose them. Changes nothing.
check_certificate() {
    if [[ -e $tls/server.pem || -e $tls/server.key ]]; then
        [[ -e $tls/server.key ]] || fail "the certificate $tls/server.pem has no key; put its key into $tls/server.key"
        [[ -e $tls/server.pem ]] || fail "the key $tls/server.key has no certificate; put its certificate into $tls/server.pem, or move the key away"
        check_fit "$tls/server.pem" "$tls/server.key"
        is_made_here || is_valid_for "$tls/server.pem" 0 ||
            fail "the certificate $tls/server.pem has expired; put a valid certificate there, and its key into $tls/server.key"
    elif [[ -e $tls/ca.pem || -e $tls/ca.key ]]; then
        [[ -e $tls/ca.pem ]] || fail "the certificate authority's key $tls/ca.key has no certificate; put its certificate into $tls/ca.pem, or move the key away"
        [[ -e $tls/ca.key ]] || fail "the certificate authority $tls/ca.pem has neither a key nor a server certificate; put its key into $tls/ca.key or a certificate into $tls/server.pem, or move ca.pem away"
        check_fit "$tls/ca.pem" "$tls/ca.key"
        is_valid_for "$tls/ca.pem" $((60 * day)) ||
            fail "the certificate authority $tls/ca.pem expires within 60 days; replace ca.pem and ca.key, or move both files away"
    fi
}

# Fails unless the certificate and the key have the same public key.
check_fit() {
    local certificate=$1 key=$2 of_certificate of_key
    of_certificate=$(openssl x509 -in "$certificate" -noout -pubkey 2>/dev/null </dev/null) ||
        fail "$certificate is not a readable PEM certificate; replace the file"
    of_key=$(openssl pkey -in "$key" -passin pass: -pubout 2>/dev/null </dev/null) ||
        fail "$key is not a readable PEM key without a password; replace the file"
    [[ $of_certificate == "$of_key" ]] ||
        fail "the certificate $certificate does not match the key $key; replace one of them"
}

# Returns true if the server's certificate is from the authority created here, and the authority's key still exists.
is_made_here() {
    [[ -s $tls/ca.key && -s $tls/ca.pem ]] || return 1
    [[ $(openssl x509 -in "$tls/ca.pem" -noout -subject 2>/dev/null) == *"Almanac local CA"* ]] || return 1
    openssl verify -no_check_time -CAfile "$tls/ca.pem" "$tls/server.pem" >/dev/null 2>&1
}

is_valid_for() {
    openssl x509 -in "$1" -noout -checkend "$2" >/dev/null 2>&1
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
    [[ ! -s $tls/server.pem ]] || openssl x509 -in "$tls/server.pem" -noout -ext subjectAltName | grep -oP 'DNS:\K[^, ]+'
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
    mv -- "$tls/$1.pem.new" "$tls/$1.pem"
}
