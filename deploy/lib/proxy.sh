# shellcheck shell=bash
# nginx: its configuration is rendered from deploy/nginx into the home folder.

# shellcheck source=/dev/null
source "${BASH_SOURCE[0]%/*}/front.sh"

# The address for other hosts; empty for this host only.
address_of_all=${ALMANAC_ADDRESS:-}

nginx_pid() {
    local pid
    [[ -s $run/nginx.pid ]] || return 0
    pid=$(<"$run/nginx.pid")
    if is_alive "$pid" && [[ $(command_line "$pid") == "nginx: master process "*"$home/nginx/nginx.conf"* ]]; then
        printf '%s\n' "$pid"
    fi
}

# Prints the ids of nginx's master processes, even if the pid file was lost: the parents of processes in our folder.
nginx_masters() {
    local child parent
    for child in $(processes_in "$home/nginx"); do
        parent=$(parent_of "$child")
        [[ $(command_line "${parent:-0}") != "nginx: master process "* ]] || printf '%s\n' "$parent"
    done | sort -un
}

# Runs nginx, which is not in the PATH of ordinary users on Debian.
nginx() {
    (
        close_inherited_files
        PATH=$PATH:/usr/sbin:/sbin exec nginx -p "$home/nginx" -e "$logs/nginx-error.log" -c "$home/nginx/nginx.conf" "$@" </dev/null
    )
}

render_nginx() {
    stage_nginx
    install_nginx
    rm -rf -- "$staged"
}

# Renders the listening addresses, the paths and the user into staged files; everything else is the same on any host.
# Fails if nginx refuses the files, before any file in use changes.
stage_nginx() {
    local text user_line='' listen='' address addresses=() new=$staged/nginx
    # Keepalive detects a vanished client after two minutes.
    local options="backlog=4096 so_keepalive=60s:20s:3"
    rm -rf -- "$new"
    mkdir -p -- "$new"
    cp -- "$checkout"/deploy/nginx/*.conf "$new/"
    # The operator fills in the names of hosts, so their file is preserved.
    [[ ! -e $home/nginx/almanac-hosts.conf ]] || cp -p -- "$home/nginx/almanac-hosts.conf" "$new/"
    text=$(<"$checkout/deploy/nginx/nginx.conf.template")
    if ((EUID == 0)); then
        user_line="user $web_user;"
    fi
    for address in $(listening_addresses); do
        addresses+=("$address:$port")
        listen+="${listen:+$'\n        '}listen $address:$port ssl http2 default_server $options;"
    done
    {
        render_front_settings
        printf 'set %salmanac_attachments "%s";\n' '$' "$attachments"
    } >"$new/front.conf"
    render_page_hosts "$checkout/deploy/nginx/pages.conf.template" "$home/www" 'include front.conf;' "${addresses[@]}" \
        >"$new/pages.conf"
    text=${text//@user@/"$user_line"}
    text=${text//@listen@/"$listen"}
    text=${text//@worker_socket@/"$worker_socket"}
    text=${text//@events_socket@/"$events_socket"}
    text=${text//@home@/"$home"}
    printf '%s\n' "$text" >"$new/nginx.conf"
    if ! nginx -t -c "$new/nginx.conf" >"$logs/nginx-test.log" 2>&1; then
        sed -i "s#$new/#$home/nginx/#g" "$logs/nginx-test.log"
        show_tail "$logs/nginx-test.log"
        fail "nginx refuses its new configuration, so the old one stays in $home/nginx; correct the file that nginx names"
    fi
}

# Replaces nginx's files by the staged ones, and links the old ones, so that they can be put back.
install_nginx() {
    local file
    for file in "$staged/nginx"/*; do
        file=${file##*/}
        if [[ -e $home/nginx/$file && -d $staged/before/nginx ]]; then
            ln -f -- "$home/nginx/$file" "$staged/before/nginx/"
        fi
    done
    if [[ -e $home/nginx/almanac-hosts.conf ]]; then
        rm -- "$staged/nginx/almanac-hosts.conf"
    fi
    mv -- "$staged/nginx"/* "$home/nginx/"
}

# Prints the listening addresses, which always include this host's own.
listening_addresses() {
    case $address_of_all in
        0.0.0.0) ;;
        *) printf '127.0.0.1\n' ;;
    esac
    case $address_of_all in
        ::) ;;
        *) ! has_ipv6_loopback || printf '[::1]\n' ;;
    esac
    case $address_of_all in
        '' | localhost | 127.0.0.1 | ::1) ;;
        *:*) printf '[%s]\n' "$address_of_all" ;;
        *) printf '%s\n' "$address_of_all" ;;
    esac
}

check_address() {
    [[ $address_of_all =~ ^(localhost|[0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)?$ ]] ||
        fail "ALMANAC_ADDRESS must be an address of this host, such as 0.0.0.0 for every network, not \"$address_of_all\""
}

start_nginx() {
    local launch
    [[ -z $(nginx_pid) ]] || return 0
    if [[ -z $(supervisors_of nginx) ]]; then
        end_orphaned_nginx
        # Restarts like start_server. The children of a killed nginx hold its port, so they are told to quit first.
        # All requests pass through nginx, so it gets three times the processor time of a busy process (nice -5; sched(7),
        # autogroup). Otherwise each busy PostgreSQL process counts as much as all of nginx. Only root may set this.
        # shellcheck disable=SC2016
        launch='exec 9<"$0"; flock 9; (sleep 1 </dev/null &)
            { renice -n -5 -p $$ && echo -5 >/proc/self/autogroup; } >/dev/null 2>&1
            for process in $(find /proc/[0-9]*/cwd -maxdepth 0 -lname "$3" -printf "%h "); do
                [[ $(tr "\0" " " <"$process/cmdline") != "nginx: "* ]] || kill -s QUIT "${process#/proc/}"
            done 2>/dev/null
            PATH=$PATH:/usr/sbin:/sbin exec nginx -g "daemon off;" -p "$1" -e "$2" -c "$0" 9<&-'
        : >"$logs/nginx-start.log"
        spawn_supervised nginx "$logs/nginx-start.log" root /bin/bash -c "$launch" "$home/nginx/nginx.conf" \
            "$home/nginx" "$logs/nginx-error.log" "$(as_pattern "$home/nginx")"
    fi
    await_nginx
}

await_nginx() {
    local deadline=$((SECONDS + 20)) failures
    until [[ -n $(nginx_pid) ]] && port_is_taken "$port"; do
        failures=$(grep -acF "$failed_start" -- "$logs/nginx-start.log" || true)
        if ((failures > 5 || SECONDS >= deadline)) || ! is_supervised nginx; then
            show_tail "$logs/nginx-start.log"
            explain_log "$logs/nginx-start.log"
            stop_nginx
            fail "nginx did not start"
        fi
        sleep 0.05
    done
}

# Ends the children of a killed nginx, which hold its port. Their working folder identifies them.
end_orphaned_nginx() {
    local pid
    for pid in $(processes_in "$home/nginx"); do
        if [[ $(command_line "$pid") == "nginx: "* ]]; then
            end_process "$pid" TERM 5
        fi
    done
}

stop_nginx() {
    local pid
    end_supervision nginx
    for pid in $(nginx_pid) $(nginx_masters); do
        kill -s QUIT "$pid" 2>/dev/null || true
        await_end 5 "$pid" || end_process "$pid" TERM 5
    done
    end_supervisors nginx
    end_orphaned_nginx
    rm -f -- "$run/nginx.pid"
}

# Checks nginx's files, certificates included, then makes the running nginx read them. Returns once no worker with the
# old configuration accepts connections.
reload_nginx() {
    local pid former deadline=$((SECONDS + 30))
    if ! nginx -t >"$logs/nginx-test.log" 2>&1; then
        warn "nginx keeps its old configuration: $(grep -m1 -F '[emerg]' "$logs/nginx-test.log" | sed -E 's/.*\[emerg\] ([0-9]+#[0-9]+: )?//')"
        return 1
    fi
    pid=$(nginx_pid)
    mapfile -t former < <(children_of "$pid")
    kill -s HUP "$pid"
    while accepts_connections "${former[@]}"; do
        if ((SECONDS >= deadline)); then
            warn "nginx did not load its configuration within 30 s; see $logs/nginx-error.log"
            return 1
        fi
        sleep 0.02
    done
}

# Returns true if a worker still accepts connections. A worker that shuts down says so in its name.
accepts_connections() {
    local pid name
    for pid in "$@"; do
        name=$(command_line "$pid")
        [[ $name != "nginx: worker process "* || $name == *"is shutting down"* ]] || return 0
    done
    return 1
}

# Checks the port in a setting. Arguments: the setting, the port, an example port for the message.
check_port_number() {
    local setting=$1 number=$2 example=$3
    [[ $number =~ ^[1-9][0-9]{0,4}$ && $number -le 65535 ]] ||
        fail "$setting must be a number from 1 to 65535, not \"$number\""
    if ((EUID != 0 && number < $(</proc/sys/net/ipv4/ip_unprivileged_port_start))); then
        fail "port $number is reserved for root; choose another, for example $setting=$example $program"
    fi
}

# Fails if another program listens on the port. The question whether this instance listens comes last, because its
# supervisor may start nginx at any time.
check_port_is_free() {
    local setting=$1 number=$2 example=$3
    if { port_is_taken "$number" || ! reserve_port "$number"; } && ! is_our_port; then
        fail "port $number is taken by another program; choose another, for example $setting=$(free_port $((number < 60000 ? number + 1 : example))) $program"
    fi
}

# Returns true if a process listens on the port, which is state 0A in the kernel's table of sockets.
port_is_taken() {
    local hexadecimal
    hexadecimal=$(printf '%04X' "$1")
    grep -sqE "^ *[0-9]+: [0-9A-F]+:$hexadecimal [0-9A-F]+:[0-9A-F]{4} 0A " /proc/net/tcp /proc/net/tcp6
}

# Prints a port that is neither listened on nor reserved.
free_port() {
    local candidate=$1
    while port_is_taken "$candidate" || has_reserved "$candidate" || ! (reserve_port "$candidate"); do
        candidate=$((candidate + 1))
    done
    printf '%s\n' "$candidate"
}

# Sets a variable to a free port that is reserved for this script and its children until it ends.
take_free_port() {
    local -n chosen=$1
    chosen=$(free_port "$2")
    until reserve_port "$chosen"; do
        chosen=$(free_port $((chosen + 1)))
    done
}

# Reserves a port by locking a file until the build has finished and the port is listened on. The files stay, because
# removing one would let two scripts lock the same name.
reserve_port() {
    local file=/tmp/almanac-port-$1.lock descriptor
    ! has_reserved "$1" || return 0
    [[ -f $file ]] || (umask 022 && set -o noclobber && : >"$file") 2>/dev/null || [[ -f $file ]] || return 1
    # Opened read-only, because the file may belong to another user.
    exec {descriptor}<"$file"
    if ! flock -n "$descriptor"; then
        exec {descriptor}<&-
        return 1
    fi
    export ALMANAC_RESERVED_PORTS="${ALMANAC_RESERVED_PORTS:-} $1"
}

# Returns true if this script or its parent has reserved the port.
has_reserved() {
    [[ " ${ALMANAC_RESERVED_PORTS:-} " == *" $1 "* ]]
}
