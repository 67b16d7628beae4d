# shellcheck shell=bash
# Where everything of an instance lies, and which users its services run as.
#
#   ALMANAC_HOME/
#     backups            the newest 14 of each environment
#     bin  www           copies that services run from, so that a rebuild never disturbs them
#     environments.json  read by workers and by the command line
#     log                postgres.log worker.log events.log nginx-error.log nginx-access.log build.log
#     nginx              nginx.conf with its includes, temporary files, the cache of immutable answers
#     postgres/data      the private PostgreSQL cluster
#     run                process ids, the lock, and the sockets (run/sockets)
#     secrets            passwords of the database roles
#     tls                ca.pem, and the certificate made by it
#     tokens             an API token per environment

# Those of the first environments.json; once it is there, it says which there are.
first_environments=(development staging)

# Sets every path from the home folder as the user names it.
lay_out() {
    local chosen
    chosen=${ALMANAC_HOME:-$checkout/.almanac}
    [[ $chosen == /* ]] || chosen=$PWD/$chosen
    case $chosen in
        *[\'\"\\\$\;\{\}\,\#]* | *[[:cntrl:]]*)
            fail "ALMANAC_HOME may not contain quotes, \\, \$, ;, comma, #, braces or line breaks: choose another folder than $chosen"
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
    settle_in "$(readlink -m -- "$named_home")"
}

settle_in() {
    home=$1
    backups=$home/backups
    bin=$home/bin
    logs=$home/log
    data=$home/postgres/data
    run=$home/run
    secrets=$home/secrets
    tls=$home/tls
    tokens=$home/tokens
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

# Makes the home folder, its parts, and the folder of the sockets.
make_home() {
    move_home_where_services_can_enter
    mkdir -p -- "$home" 2>/dev/null || fail "cannot make the folder $named_home: choose another with ALMANAC_HOME"
    [[ -w $home ]] || fail "cannot write in $named_home: choose another folder with ALMANAC_HOME"
    refuse_home_of_another_user
    (umask 022 && mkdir -p -- "$bin" "$logs" "$home/nginx" "$home/postgres" "$run" "$tls" "$home/www")
    (umask 066 && mkdir -p -- "$secrets")
    (umask 077 && mkdir -p -- "$tokens")
    make_sockets_folder
}

# Started by root, PostgreSQL and the workers run as other users, who must be able to enter the home folder.
move_home_where_services_can_enter() {
    ((EUID == 0)) || return 0
    services_can_enter "$home" && return 0
    [[ ! -e $home || -z $(ls -A -- "$home") ]] ||
        fail "the users $database_user and $web_user cannot enter $named_home: open its parent folders to them, or choose another ALMANAC_HOME"
    local real
    real=/var/lib/almanac/$(basename -- "$(dirname -- "$home")")-$(printf '%s' "$home" | sha256sum | cut -c1-10)
    real=${real//[^A-Za-z0-9\/._-]/_}
    (umask 022 && mkdir -p -- "$real" "$(dirname -- "$named_home")")
    rmdir -- "$named_home" 2>/dev/null || rm -f -- "$named_home"
    ln -s -- "$real" "$named_home"
    say "$named_home links to $real, because other users cannot enter $(dirname -- "$named_home")."
    settle_in "$real"
}

# Whether the services' users may enter the folder, or where it will be made.
services_can_enter() {
    local folder=$1 user
    while [[ ! -d $folder ]]; do
        folder=$(dirname -- "$folder")
    done
    for user in "$database_user" "$web_user"; do
        # Without the user the packages aren't there yet either; anyone outside root's groups tells as much.
        id -- "$user" >/dev/null 2>&1 || user=nobody
        as_user "$user" test -x "$folder" || return 1
    done
}

refuse_home_of_another_user() {
    local owner
    if [[ -d $run ]]; then
        owner=$(stat -c %U -- "$run")
        [[ $owner == "$(id -un)" ]] ||
            fail "the instance in $named_home belongs to $owner: run this as that user, or choose another ALMANAC_HOME"
    fi
    [[ -e $data/PG_VERSION ]] || return 0
    owner=$(stat -c %U -- "$data")
    [[ $owner == "$database_user" ]] ||
        fail "the database in $named_home belongs to $owner: run this as that user, or choose another ALMANAC_HOME"
}

# A path of a Unix socket has room for 107 bytes; a deep home folder gets a short one elsewhere.
make_sockets_folder() {
    local longest=/postgres/.s.PGSQL.5432.lock
    sockets=$run/sockets
    if (($(printf '%s%s' "$sockets" "$longest" | wc -c) > 107)); then
        if [[ -f $run/sockets-elsewhere ]]; then
            sockets=$(<"$run/sockets-elsewhere")
        fi
        # environments.json names it, so one that is gone after a reboot is made again under its name.
        [[ $sockets != /tmp/almanac-* ]] || mkdir -m 711 -- "$sockets" 2>/dev/null || true
        if [[ $sockets == "$run/sockets" || ! -d $sockets || ! -O $sockets || -L $sockets ]]; then
            sockets=$(mktemp -d /tmp/almanac-XXXXXX)
            printf '%s\n' "$sockets" >"$run/sockets-elsewhere"
            say "$named_home is too long a path for sockets: they are in $sockets."
        fi
        chmod 711 "$sockets"
    else
        rm -f -- "$run/sockets-elsewhere"
    fi
    (umask 022 && mkdir -p -- "$sockets/postgres")
    name_sockets
}

# Gives folders that a service writes to its user; done once the packages have made the users.
hand_over_folders() {
    ((EUID == 0)) || return 0
    chown "$database_user:" "$home/postgres" "$sockets/postgres"
    chmod 755 "$sockets/postgres"
}

# Runs a command as another user, in place of the shell when exec'd; as an ordinary user, simply runs it.
as_user() {
    local user=$1
    shift
    if ((EUID == 0)); then
        setpriv --reuid="$user" --regid="$(id -g -- "$user")" --init-groups -- "$@"
    else
        "$@"
    fi
}

# A new file with a secret, readable by one user only; an existing one is left as it is.
keep_secret() {
    local file=$1 user=$2
    if [[ ! -s $file ]]; then
        (umask 077 && openssl rand -hex 24 | tr -d '\n' >"$file.new" && mv -- "$file.new" "$file")
    fi
    if ((EUID == 0)); then
        chown "$user:" "$file"
    fi
}

# Refuses to begin what the disk cannot hold.
check_disk_space() {
    local folder=$checkout needed=200
    [[ -x $checkout/.build/release/almanac-worker ]] || needed=1500
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
        fail "the disk is nearly full: $purpose needs $needed MB, and $folder has $free MB left; free some space, or move it (ALMANAC_HOME)"
}

free_megabytes() {
    df --output=avail -B1M -- "$1" | tail -n 1 | tr -d ' '
}
