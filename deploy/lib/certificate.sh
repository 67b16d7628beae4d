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
        say "The certificate ends soon: making another; the former one is $tls/server.pem~."
        cp --preserve=mode,timestamps -- "$tls/server.pem" "$tls/server.pem~"
        cp --preserve=mode,timestamps -- "$tls/server.key" "$tls/server.key~"
        if ! is_valid_for "$tls/ca.pem" $((60 * day)); then
            say "Its authority ends soon too: clients need the new $tls/ca.pem."
            make_authority
        fi
        make_server_certificate
    elif is_made_here && [[ -n $(missing_names) ]]; then
        say "The certificate lacks $(missing_names | paste -sd' '): making another by the same authority; the former one is $tls/server.pem~."
        cp --preserve=mode,timestamps -- "$tls/server.pem" "$tls/server.pem~"
        cp --preserve=mode,timestamps -- "$tls/server.key" "$tls/server.key~"
        make_server_certificate
    fi
}

# Fails if the files are unusable, or if creating others would lose them. Changes nothing.
check_certificate() {
    if [[ -e $tls/server.pem || -e $tls/server.key ]]; then
        [[ -e $tls/server.key ]] || fail "there is a certificate, $tls/server.pem, but no $tls/server.key: put its key there"
        [[ -e $tls/server.pem ]] || fail "there is a key, $tls/server.key, but no $tls/server.pem: put its certificate there, or the key elsewhere"
        check_fit "$tls/server.pem" "$tls/server.key"
        is_made_here || is_valid_for "$tls/server.pem" 0 ||
            fail "the certificate $tls/server.pem has expired: put another there, with its key in $tls/server.key"
    elif [[ -e $tls/ca.pem || -e $tls/ca.key ]]; then
        [[ -e $tls/ca.pem ]] || fail "there is a key of an authority, $tls/ca.key, but no $tls/ca.pem: put its certificate there, or the key elsewhere"
        [[ -e $tls/ca.key ]] || fail "there is an authority, $tls/ca.pem, but neither its key, $tls/ca.key, nor a $tls/server.pem: put one of them there, or ca.pem elsewhere"
        check_fit "$tls/ca.pem" "$tls/ca.key"
        is_valid_for "$tls/ca.pem" $((60 * day)) ||
            fail "the authority $tls/ca.pem ends within 60 days: put another there, or both of its files elsewhere"
    fi
}

# Fails unless the certificate and the key have the same public key.
check_fit() {
    local certificate=$1 key=$2 of_certificate of_key
    of_certificate=$(openssl x509 -in "$certificate" -noout -pubkey 2>/dev/null </dev/null) ||
        fail "$certificate is no certificate in PEM form that can be read: put the right one there"
    of_key=$(openssl pkey -in "$key" -passin pass: -pubout 2>/dev/null </dev/null) ||
        fail "$key is no key in PEM form that can be read without a password: put the right one there"
    [[ $of_certificate == "$of_key" ]] ||
        fail "the certificate $certificate and the key $key do not belong together: put there what does"
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
