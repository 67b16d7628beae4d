# shellcheck shell=bash
# A certificate authority of this instance's own, good for localhost only, and the server's certificate from it.

day=86400

make_certificate() {
    if ! is_valid_for "$tls/ca.pem" $((60 * day)); then
        make_authority
        rm -f -- "$tls/server.pem"
    fi
    is_valid_for "$tls/server.pem" $((30 * day)) || make_server_certificate
}

is_valid_for() {
    local file=$1 seconds=$2
    [[ -s $file && -s ${file%.pem}.key ]] &&
        openssl x509 -in "$file" -noout -checkend "$seconds" >/dev/null 2>&1
}

# Constrained by name: whoever adds it to a browser trusts it for this machine's own addresses and nothing else.
make_authority() {
    new_key "$tls/ca.key"
    openssl req -x509 -new -key "$tls/ca.key" -sha256 -days 3650 -out "$tls/ca.pem.new" -config - <<END
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
    mv -- "$tls/ca.pem.new" "$tls/ca.pem"
    chmod 644 "$tls/ca.pem"
}

make_server_certificate() {
    local names=DNS:localhost environment
    for environment in "${environments[@]}"; do
        names+=,DNS:$environment.localhost
    done
    new_key "$tls/server.key"
    openssl req -new -key "$tls/server.key" -subj "/CN=localhost" -out "$tls/server.csr"
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
    mv -- "$tls/server.pem.new" "$tls/server.pem"
    chmod 644 "$tls/server.pem"
}

new_key() {
    (umask 077 && openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.new" 2>/dev/null)
    mv -- "$1.new" "$1"
}
