# shellcheck shell=bash
# The paths of an instance, and the users of its services.
#
#   ALMANAC_HOME/
#     attachments        the files in notes, one folder for each environment
#     backups            the newest 14 of each environment
#     bin  www           the installed programs and pages, so that a rebuild never disturbs services
#     environments.json  read by workers and by the command line
#     release            the name of the release that was started last
#     staged             the next release, until it is in use (release.sh)
#     log                postgres.log worker.log events.log nginx-error.log nginx-access.log build.log
#     nginx              nginx.conf with its includes, temporary files, the cache of immutable responses
#     postgres/data      the private PostgreSQL cluster
#     run                process ids, the lock, and the sockets (run/sockets)
#     secrets            passwords of the database roles
#     tls                ca.pem, and the certificate that it signed
#     tokens             an API token per environment

# The environments in the first environments.json; later the file itself lists them.
first_environments=(development staging)

# Sets every path from the home folder that the user names.
lay_out() {
    local chosen
    chosen=${ALMANAC_HOME:-$checkout/.almanac}
    [[ $chosen == /* ]] || chosen=$PWD/$chosen
    case $chosen in
        *[\'\"\\\$\;\{\}\,\#]* | *[[:cntrl:]]*)
            fail "ALMANAC_HOME may not contain quotes, \\, \$, ;, comma, #, braces or line breaks; choose another folder than $chosen"
            ;;
    esac
    named_home=${chosen%/}
    if ((EUID == 0)); then
        database_user=postgres
        web_user=www-data
    else
        database_user=$(id -un)
        web_user=$database_user
    fi
    set_paths "$(readlink -m -- "$named_home")"
}

set_paths() {
    home=$1
    attachments=$home/attachments
    backups=$home/backups
    bin=$home/bin
    logs=$home/log
    data=$home/postgres/data
    run=$home/run
    secrets=$home/secrets
    tls=$home/tls
    tokens=$home/tokens
    staged=$home/staged
    environments_file=$home/environments.json
    sockets=$run/sockets
    if [[ -f $run/sockets-elsewhere ]]; then
        sockets=$(<"$run/sockets-elsewhere")
    fi
    name_sockets
}

name_sockets() {
    worker_socket=$sockets/worker.sock
    events_socket=$sockets/events.sock
    local_hosts=("$sockets/postgres")
}

# Creates the home folder, its parts, and the folder of the sockets.
make_home() {
    move_home_where_services_can_enter
    mkdir -p -- "$home" 2>/dev/null || fail "cannot create the folder $named_home; choose another with ALMANAC_HOME"
    [[ -w $home ]] || fail "cannot write to the folder $named_home; choose another with ALMANAC_HOME"
    refuse_home_of_another_user
    (umask 022 && mkdir -p -- "$bin" "$logs" "$home/nginx" "$home/postgres" "$run" "$tls" "$home/www")
    (umask 066 && mkdir -p -- "$secrets")
    (umask 077 && mkdir -p -- "$tokens")
    make_sockets_folder
}

# Moves the home folder if the services' users can't enter it. Only root runs PostgreSQL and the workers as other users.
move_home_where_services_can_enter() {
    ((EUID == 0)) || return 0
    services_can_enter "$home" && return 0
    [[ ! -e $home || -z $(ls -A -- "$home") ]] ||
        fail "the users $database_user and $web_user cannot enter $named_home; give both users access to its parent folders, or choose another ALMANAC_HOME"
    local real
    real=/var/lib/almanac/$(basename -- "$(dirname -- "$home")")-$(printf '%s' "$home" | sha256sum | cut -c1-10)
    real=${real//[^A-Za-z0-9\/._-]/_}
    (umask 022 && mkdir -p -- "$real" "$(dirname -- "$named_home")")
    rmdir -- "$named_home" 2>/dev/null || rm -f -- "$named_home"
    ln -s -- "$real" "$named_home"
    say "$named_home links to $real, because other users cannot enter $(dirname -- "$named_home")."
    set_paths "$real"
}

# Returns true if the services' users may enter the folder, or the existing folder that it will be created in.
services_can_enter() {
    local folder=$1 user
    while [[ ! -d $folder ]]; do
        folder=$(dirname -- "$folder")
    done
    for user in "$database_user" "$web_user"; do
        # Before the packages are installed, "nobody" stands in for the missing user: neither is in root's groups.
        id -- "$user" >/dev/null 2>&1 || user=nobody
        as_user "$user" test -x "$folder" || return 1
    done
}

refuse_home_of_another_user() {
    local owner
    if [[ -d $run ]]; then
        owner=$(stat -c %U -- "$run")
        [[ $owner == "$(id -un)" ]] ||
            fail "the instance in $named_home belongs to $owner; run $program as that user, or choose another ALMANAC_HOME"
    fi
    [[ -e $data/PG_VERSION ]] || return 0
    owner=$(stat -c %U -- "$data")
    [[ $owner == "$database_user" ]] ||
        fail "the database in $named_home belongs to $owner; run $program as that user, or choose another ALMANAC_HOME"
}

# Creates the folder of the sockets: elsewhere if the home is deep, because a socket's path may have only 107 bytes.
make_sockets_folder() {
    local longest=/postgres/.s.PGSQL.5432.lock
    sockets=$run/sockets
    if (($(printf '%s%s' "$sockets" "$longest" | wc -c) > 107)); then
        if [[ -f $run/sockets-elsewhere ]]; then
            sockets=$(<"$run/sockets-elsewhere")
        fi
        # environments.json names the folder, so it is created again under the same name after a reboot.
        [[ $sockets != /tmp/almanac-* ]] || mkdir -m 711 -- "$sockets" 2>/dev/null || true
        if [[ $sockets == "$run/sockets" || ! -d $sockets || ! -O $sockets || -L $sockets ]]; then
            sockets=$(mktemp -d /tmp/almanac-XXXXXX)
            printf '%s\n' "$sockets" >"$run/sockets-elsewhere"
            say "The path $named_home is too long for sockets, so the sockets are in $sockets."
        fi
        chmod 711 "$sockets"
    else
        rm -f -- "$run/sockets-elsewhere"
    fi
    (umask 022 && mkdir -p -- "$sockets/postgres")
    name_sockets
}

# Gives the folders that a service writes to its user, once the packages have created the users.
chown_folders() {
    ((EUID == 0)) || return 0
    chown "$database_user:" "$home/postgres" "$sockets/postgres"
    chmod 755 "$sockets/postgres"
}

# Creates the folder that workers write and nginx reads.
make_attachments_folder() {
    (umask 027 && mkdir -p -- "$attachments")
    ((EUID != 0)) || chown "$web_user:" "$attachments"
    chmod 2750 "$attachments"
}

# Runs a command as another user, replacing the shell when exec'd. An ordinary user runs it unchanged.
as_user() {
    local user=$1
    shift
    if ((EUID == 0)); then
        setpriv --reuid="$user" --regid="$(id -g -- "$user")" --init-groups -- "$@"
    else
        "$@"
    fi
}

# Creates a file with a secret that only one user can read. An existing file keeps its content.
keep_secret() {
    local file=$1 user=$2
    if [[ ! -s $file ]]; then
        (umask 077 && openssl rand -hex 24 | tr -d '\n' >"$file.new" && mv -- "$file.new" "$file")
    fi
    if ((EUID == 0)); then
        chown "$user:" "$file"
    fi
}

# Replaces a file by standard input at once, so that a full disk or a kill leaves the old content.
replace_file() {
    if ! cat >"$1.new" || ! mv -- "$1.new" "$1"; then
        rm -f -- "$1.new"
        return 1
    fi
}

# Fails if the disk is too small.
check_disk_space() {
    local folder=$checkout needed=200
    [[ -n ${ALMANAC_PROGRAMS:-} || -x $checkout/.build/release/almanac-worker ]] || needed=1500
    refuse_small_disk "$folder" "$needed" "building"
    folder=$home
    while [[ ! -d $folder ]]; do
        folder=$(dirname -- "$folder")
    done
    refuse_small_disk "$folder" 200 "the database"
}

refuse_small_disk() {
    local folder=$1 needed=$2 purpose=$3 free
    free=$(free_megabytes "$folder")
    ((free >= needed)) ||
        fail "the disk is nearly full: $purpose needs $needed MB, and $folder has $free MB left; free some space, or choose another folder (ALMANAC_HOME)"
}

free_megabytes() {
    df --output=avail -B1M -- "$1" | tail -n 1 | tr -d ' '
}
