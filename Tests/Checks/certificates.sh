# shellcheck shell=bash
# The operator's certificates: deploy/run, almanac-setup and the containers name each fault before they change anything.

check_certificates() {
    local ways=(run install) certificates=$results/certificates places
    begin_part "Certificates"
    # Only root can try whether another user may read a file.
    ((EUID != 0)) || ways+=(prepare)
    mkdir -p -- "$certificates"
    # The user of nginx in the containers must be able to enter the folder, unlike that of the results.
    places=$(mktemp -d /tmp/almanac-certificates-XXXXXX)
    chmod 755 "$places"
    make_operators_certificates
    check "a link without its target is named, and not replaced by a made certificate" refuses_dangling_links
    check "an expired certificate is named" refuses_pair expired.pem server.key \
        'the certificate .*tls/server.pem has expired; put a valid certificate there'
    check "a certificate that is not valid yet is named with its date" refuses_pair future.pem server.key \
        'the certificate .*tls/server.pem is not valid before Jan  1 00:00:00 2049 GMT; correct the clock of this host'
    check "a key with a password is named" refuses_pair chain.pem encrypted.key \
        'the key .*tls/server.key has a password, .* openssl pkey -in OLD -out NEW'
    check "a chain that does not begin with the server's certificate is named" refuses_pair unordered.pem \
        server.key "does not match the key .*the server's certificate comes first"
    check "a host that the certificate does not name is named" refuses_unnamed_hosts
    check "nothing is made in a folder that the operator has chosen" fills_no_chosen_folder
    check "a key that nginx's user cannot read is named" refuses_unreadable_key
    check "an existing site without its certificate gets no certificate for localhost" refuses_site_without_certificate
    check "each certificate that an existing site names is checked" checks_certificates_of_site
    check "a host of an existing site that the certificate does not name causes a warning" warns_of_unnamed_host_in_site
    check "a missing chain causes a warning" warns_of_missing_chain
    check "a certificate from an authority that this machine trusts is not renewed as a made one" knows_own_authority
    check "a made certificate that is not valid yet is replaced" replaces_made_certificate_of_future
    check "a start finishes a pair of files of which a kill left one" finishes_interrupted_pair
    check "the containers get a certificate, a key that only nginx reads, and keep both" prepares_containers
    rm -rf -- "$places"
}

# Makes pairs as an operator gets them: good, expired, not valid yet, encrypted, and a leaf of an intermediate authority.
make_operators_certificates() {
    local names=subjectAltName=DNS:api.example.com,DNS:console.example.com,DNS:notes.example.com
    (
        cd -- "$certificates" || exit
        openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out server.key
        openssl pkey -in server.key -aes256 -passout pass:secret -out encrypted.key
        openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out authority.key
        openssl req -x509 -key authority.key -days 30 -subj /CN=authority -out authority.pem
        openssl req -new -key server.key -subj /CN=api.example.com -out server.csr
        printf '%s\nauthorityInfoAccess=caIssuers;URI:http://authority.example.com/\n' "$names" >extensions
        openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 30 \
            -extfile extensions -out leaf.pem
        openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days -1 \
            -extfile extensions -out expired.pem
        sign_for_future server.csr future.pem authority.pem authority.key -extfile extensions
        cat leaf.pem authority.pem >chain.pem
        cat authority.pem leaf.pem >unordered.pem
    ) 2>/dev/null
}

# Signs a certificate for the year 2049: the request, the certificate, the authority and its key, options of `openssl ca`.
sign_for_future() {
    local request=$1 certificate=$2 authority=$3 key=$4
    shift 4
    : >"$results/index"
    printf '%s\n' '[ca]' 'default_ca = all' '[all]' "database = $results/index" 'rand_serial = yes' \
        'policy = any' 'default_md = sha256' '[any]' 'commonName = supplied' >"$results/ca.conf"
    openssl ca -batch -notext -config "$results/ca.conf" -outdir "$results" -cert "$authority" -keyfile "$key" \
        -startdate 20490101000000Z -enddate 20491231000000Z -in "$request" -out "$certificate" "$@"
}

# Makes the folder of a way to start: $place, with the folder $tls. Arguments: the way, then the certificate and the key.
make_place() {
    place=$(mktemp -d "$places/XXXXXX")
    case $1 in
        run | prepare) tls=$place/tls ;;
        install) tls=$place/etc/almanac/tls ;;
    esac
    mkdir -p -- "$tls"
    [[ -z ${2:-} ]] || cp -- "$certificates/$2" "$tls/server.pem"
    [[ -z ${3:-} ]] || cp -- "$certificates/$3" "$tls/server.key"
}

# Starts Almanac in $place, where the check must end it: the way, then settings for `env`.
start_in_place() {
    local way=$1 programs=$results/no-programs
    shift
    case $way in
        run)
            env ALMANAC_HOME="$place" ALMANAC_PORT="$(free_port 19700)" ALMANAC_PROGRAMS="$programs" \
                ALMANAC_CONSOLE=console.example.com ALMANAC_NOTES=notes.example.com "$@" "$checkout/deploy/run" --detach
            ;;
        install) setup_in_place ;;
        prepare) prepare_in_place ALMANAC_CONSOLE=console.example.com ALMANAC_NOTES=notes.example.com "$@" ;;
    esac
}

# Runs almanac-setup with the package's paths in $place.
setup_in_place() {
    local folder=$results/setup file options=()
    mkdir -p -- "$folder"
    for file in "$checkout"/deploy/setup "$checkout"/deploy/lib/{messages,page-hosts,site,environments,certificate,host}.sh; do
        sed "s#/usr/lib/almanac#$folder#; s#/etc/almanac#$place/etc/almanac#; s#/run/almanac-setup#$folder/setup#
            s#/run/systemd/system#/#; s#^((EUID == 0)).*#:#" "$file" >"$folder/${file##*/}"
    done
    # The options are for a host without a site.
    [[ -e $place/etc/almanac/nginx/almanac.conf ]] ||
        options=(--host "${installed_host:-api.example.com}" --console console.example.com --notes notes.example.com)
    bash "$folder/setup" "${options[@]}"
}

# Runs the script of the container "prepare" with the container's paths in $place.
prepare_in_place() {
    mkdir -p -- "$results/secrets"/{superuser,owner,worker,provider}
    sed "s#=/secrets#=$results/secrets#; s#=/tls#=$tls#; s#=/etc/almanac#=$checkout/deploy/containers/etc#
        s#/usr/lib/almanac/#$checkout/deploy/lib/#" "$checkout/deploy/containers/prepare.sh" >"$results/prepare.sh"
    env "$@" bash "$results/prepare.sh"
}

state_of_place() {
    find "$place" -printf '%p %y %l %m %u %s\n' | LC_ALL=C sort
}

# Expects that a start fails with a message, and changes nothing: the message, the way, settings.
refuses_in_place() {
    local pattern=$1
    shift
    # nginx's user enters the folders of the test.
    chmod 755 "$place"
    state_of_place >"$results/before"
    fails_with "$pattern" start_in_place "$@"
    state_of_place | diff "$results/before" -
}

# Lays out certbot's folders: live has relative links to archive.
refuses_dangling_links() {
    local way
    for way in "${ways[@]}"; do
        make_place "$way"
        mkdir -p -- "$place"/letsencrypt/{live,archive}/api.example.com
        ln -s ../../archive/api.example.com/fullchain1.pem "$place/letsencrypt/live/api.example.com/fullchain.pem"
        ln -s "$place/letsencrypt/live/api.example.com/fullchain.pem" "$tls/server.pem"
        ln -s "$place/letsencrypt/live/api.example.com/privkey.pem" "$tls/server.key"
        refuses_in_place 'tls/server.pem, a link to .*letsencrypt.*, leads to no file; expected a PEM file: ' "$way"
        cp -- "$certificates/chain.pem" "$place/letsencrypt/archive/api.example.com/fullchain1.pem"
        refuses_in_place 'tls/server.key, a link to .*privkey.pem, leads to no file' "$way"
    done
}

# Checks that each way to start refuses a pair of files: the certificate, the key, the pattern of the message.
refuses_pair() {
    local way
    for way in "${ways[@]}"; do
        make_place "$way" "$1" "$2"
        chmod 644 "$tls/server.key"
        refuses_in_place "$3" "$way"
    done
}

refuses_unnamed_hosts() {
    local way
    make_place run chain.pem server.key
    refuses_in_place 'tls/server.pem does not name pages.example.org \(ALMANAC_NOTES\); get a certificate' run \
        ALMANAC_NOTES=pages.example.org
    make_place install chain.pem server.key
    installed_host=other.example.org refuses_in_place 'tls/server.pem does not name other.example.org, so clients refuse' install
    ((EUID == 0)) || return 0
    make_place prepare chain.pem server.key
    chmod 644 "$tls/server.key"
    refuses_in_place 'tls/server.pem does not name pages.example.org \(ALMANAC_CONSOLE\)' prepare \
        ALMANAC_CONSOLE=pages.example.org
}

fills_no_chosen_folder() {
    local way chosen
    for way in run install; do
        make_place "$way"
        chosen=$results/chosen-$way
        mkdir -m 700 -- "$chosen"
        rmdir -- "$tls"
        ln -s -- "$chosen" "$tls"
        installed_host=localhost refuses_in_place 'there is no certificate (in|for) .*server.pem' "$way" \
            ALMANAC_CONSOLE=console.localhost ALMANAC_NOTES=notes.localhost
        [[ $(stat -c %a "$chosen") == 700 && -z $(ls -A "$chosen") ]]
    done
    ((EUID == 0)) || return 0
    make_place prepare
    refuses_in_place 'there is no certificate in the folder /srv/tls \(ALMANAC_TLS\); put the certificate' prepare \
        ALMANAC_TLS=/srv/tls ALMANAC_CONSOLE=console.localhost ALMANAC_NOTES=notes.localhost
}

# The server's user is user 33 in the containers, and else this script's.
refuses_unreadable_key() {
    if ((EUID == 0)); then
        make_place prepare chain.pem server.key
        chmod 600 "$tls/server.key"
        refuses_in_place 'the user 33 \(nginx in its container\) cannot read /srv/tls/server.key \(Permission denied\)' \
            prepare ALMANAC_TLS=/srv/tls
    else
        make_place run chain.pem server.key
        chmod 000 "$tls/server.key"
        refuses_in_place "the user $(id -un) cannot read .*server.key \(Permission denied\)" run
    fi
}

# Prints a script that checks the certificate in $tls, with the given command.
in_script() {
    printf '%s\n' 'set -eu' 'program=check' "tls='$tls'" "source '$checkout/deploy/lib/messages.sh'" \
        "source '$checkout/deploy/lib/certificate.sh'" "$1"
}

make_site() {
    mkdir -p -- "$place/etc/almanac/nginx"
    sed "s/@host@/$1/; s/@port@/443/; s#/etc/almanac#$place/etc/almanac#" "$checkout/deploy/nginx/site.conf.template" \
        >"$place/etc/almanac/nginx/almanac.conf"
}

refuses_site_without_certificate() {
    make_place install
    make_site api.example.com
    refuses_in_place 'there is no certificate for api.example.com; put it with its chain into' install
}

# The site takes the files of certbot, without a link in /etc/almanac/tls.
checks_certificates_of_site() {
    make_place install
    make_site api.example.com
    mkdir -p -- "$place/live"
    sed -i "s#[^ ]*/etc/almanac/tls/server\.#$place/live/server.#" "$place/etc/almanac/nginx/almanac.conf"
    cp -- "$certificates/expired.pem" "$place/live/server.pem"
    cp -- "$certificates/server.key" "$place/live/server.key"
    refuses_in_place 'the certificate .*/live/server.pem has expired' install
}

# An upgrade goes on.
warns_of_unnamed_host_in_site() {
    make_place install chain.pem server.key
    make_site other.example.org
    bash -c "$(in_script "check_host_certificate '$place/etc/almanac/nginx/almanac.conf'")" 2>"$results/said"
    cat -- "$results/said"
    [[ $(grep -c 'does not name other.example.org, so clients refuse that host' "$results/said") == 1 ]]
    sed -i 's/other.example.org/api.example.com/' "$place/etc/almanac/nginx/almanac.conf"
    bash -c "$(in_script "check_host_certificate '$place/etc/almanac/nginx/almanac.conf'")" 2>"$results/said"
    [[ ! -s $results/said ]]
}

warns_of_missing_chain() {
    make_place run leaf.pem server.key
    bash -c "$(in_script 'check_certificate; check_certificate')" 2>"$results/said"
    [[ $(grep -c "tls/server.pem has no chain, .*fullchain.pem" "$results/said") == 1 ]]
    cp -- "$certificates/chain.pem" "$tls/server.pem"
    bash -c "$(in_script check_certificate)" 2>"$results/said"
    [[ ! -s $results/said ]]
}

# An operator has replaced the certificate, and left the authority of before beside it.
knows_own_authority() {
    local environments=()
    make_place run
    set_page_hosts off off
    make_certificate
    is_made_here
    cp -- "$certificates/leaf.pem" "$tls/server.pem"
    cp -- "$certificates/server.key" "$tls/server.key"
    mkdir -- "$results/trusted"
    cp -- "$certificates/authority.pem" "$results/trusted/"
    openssl rehash "$results/trusted"
    ! SSL_CERT_DIR=$results/trusted is_made_here || return 1
}

# The clock of this host was wrong at the first start.
replaces_made_certificate_of_future() {
    local environments=()
    make_place run
    set_page_hosts off off
    make_certificate
    openssl req -new -key "$tls/server.key" -subj /CN=localhost -addext subjectAltName=DNS:localhost -out "$results/csr"
    sign_for_future "$results/csr" "$tls/server.pem" "$tls/ca.pem" "$tls/ca.key"
    cp -- "$tls/ca.pem" "$results/authority"
    is_made_here
    make_certificate | grep 'is not valid before Jan  1 00:00:00 2049 GMT; creating a new one'
    openssl verify -CAfile "$tls/ca.pem" "$tls/server.pem"
    cmp "$tls/ca.pem" "$results/authority"
}

finishes_interrupted_pair() {
    local environments=(development)
    make_place run
    set_page_hosts off off
    make_certificate
    state_of_place >"$results/before"
    for pair in ca server; do
        mv -- "$tls/$pair.pem" "$tls/$pair.pem.new"
        make_certificate
        state_of_place | diff "$results/before" -
    done
}

prepares_containers() {
    local hosts=(ALMANAC_CONSOLE=console.localhost ALMANAC_NOTES=notes.localhost)
    ((EUID == 0)) || return 0
    make_place prepare
    chmod 755 "$place"
    prepare_in_place "${hosts[@]}"
    [[ $(stat -c '%a %u' "$tls/server.key") == '600 33' ]]
    state_of_place >"$results/before"
    # The script was killed before it gave nginx the key.
    chown 0 "$tls/server.key"
    mv -- "$tls/server.pem" "$tls/server.pem.new"
    prepare_in_place "${hosts[@]}"
    state_of_place | diff "$results/before" -
}
