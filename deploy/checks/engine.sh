# shellcheck shell=bash
# A Docker engine for one test, beside any other: its own folder and socket, no rule in the host's firewall. And the
# images that the compose file names, made of what is on this machine.

# Images, containers and volumes are under $results/engine, and go with it.
start_engine() {
    begin_part "Starting a Docker engine"
    export DOCKER_HOST=unix://$results/engine.sock
    export DOCKER_BUILDKIT=1 COMPOSE_DOCKER_CLI_BUILD=1 BUILDKIT_PROGRESS=plain
    # Nobody's settings or credentials; and Debian's docker, which builds with BuildKit by itself.
    export DOCKER_CONFIG=$results/docker
    export PATH=/usr/bin:$PATH
    spawn_detached "$results/engine.log" dockerd --host "$DOCKER_HOST" --pidfile "$results/engine.pid" \
        --data-root "$results/engine" --exec-root "$results/engine-run" --bridge none --iptables=false \
        --ip-forward=false
    engine=$spawned
    local deadline=$((SECONDS + 60))
    until docker version >/dev/null 2>&1; do
        if ! is_alive "$engine" || ((SECONDS >= deadline)); then
            show_tail "$results/engine.log"
            cannot_test "no Docker engine starts here"
        fi
        sleep 0.1
    done
}

# The machine, and not the project, is the reason: 77, as other tests that can't be run end.
cannot_test() {
    warn "$1, so nothing of this was tested: see the lines above"
    exit 77
}

# Also called when the test is interrupted; nothing of the engine may stay: no process, bridge or mount.
stop_engine() {
    [[ -n ${engine:-} ]] || return 0
    ask_engine ps --quiet | ask_engine_about kill
    ask_engine ps --all --quiet | ask_engine_about rm --force
    # A bridge of a network would outlive the engine.
    ask_engine network prune --force >/dev/null
    end_process "$engine" TERM 60 || true
    end_rest_of_engine
    unmount_all
    engine=
}

# An engine that is broken doesn't hold up the end.
ask_engine() {
    timeout 60 docker "$@" 2>/dev/null || true
}

ask_engine_about() {
    timeout 120 xargs -r docker "$@" >/dev/null 2>&1 || true
}

# Processes that the engine started and left behind; the folder of this test is in the command line of each.
end_rest_of_engine() {
    local entry
    for entry in /proc/[0-9]*; do
        if [[ $(command_line "${entry#/proc/}") == *"$results/engine"* ]]; then
            end_process "${entry#/proc/}" TERM 5 || true
        fi
    done
}

unmount_all() {
    local place
    while read -r place; do
        umount --lazy -- "$place" || true
    done < <(awk -v folder="$results/" 'index($5, folder) == 1 { print $5 }' /proc/self/mountinfo | sort -r)
}

# The whole name of an image as a file of this checkout has it.
image_named() {
    grep -ohE "docker\.io/library/$1:[A-Za-z0-9._-]+" "$checkout/docker-compose.yml" \
        "$checkout"/deploy/containers/*.Dockerfile | sort -u
}

make_stand_ins() {
    begin_part "Making images in place of $(image_named debian), $(image_named postgres) and $(image_named swift)"
    interruptible make_side_by_side debian || cannot_test "no image of Debian could be made"
    docker run --rm --network none "$(image_named debian)" true >"$results/trial.log" 2>&1 || {
        show_tail "$results/trial.log"
        cannot_test "the Docker engine runs no container here"
    }
    interruptible make_side_by_side postgres swift host || fail "not all images could be made"
    rm -rf --one-file-system -- "$results/debian"
}

# They wait for packages most of the time.
make_side_by_side() {
    local kind status=0
    local -A makers
    for kind; do
        "make_$kind" >"$results/$kind.log" 2>&1 &
        makers[$kind]=$!
    done
    for kind; do
        wait "${makers[$kind]}" && continue
        warn "the image \"$kind\" could not be made"
        show_tail "$results/$kind.log"
        status=1
    done
    return "$status"
}

make_debian() {
    local root=$results/debian settings=/etc/apt
    debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian || return
    # The image reaches packages the way this machine does.
    rm -f -- "$root/etc/apt/sources.list" "$root"/var/cache/apt/archives/*.deb
    cp -r -- "$settings"/sources.list "$root/etc/apt/" 2>/dev/null || true
    cp -r -- "$settings"/sources.list.d/debian*.sources "$root/etc/apt/sources.list.d/" 2>/dev/null || true
    cp -- "$settings"/apt.conf.d/* "$root/etc/apt/apt.conf.d/"
    # And it trusts whom this machine trusts, which may reach the network through a proxy of its own authority.
    install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$root/usr/local/share/ca-certificates/this-machine.crt"
    # As in the official image: packages are not synced to the disk one by one.
    printf 'force-unsafe-io\n' >"$root/etc/dpkg/dpkg.cfg.d/docker-apt-speedup"
    tar -c -C "$root" . | docker import --change 'ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt' - "$(image_named debian)"
}

make_postgres() {
    docker build --network host --tag "$(image_named postgres)" --build-arg "debian=$(image_named debian)" \
        --file "$checkout/deploy/checks/containers/postgres.Dockerfile" "$checkout/deploy/checks/containers"
}

# The compiler, without debuggers and editors' servers. In one layer with Debian, since copying 2 GB again takes long.
make_swift() {
    local toolchain
    toolchain=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "$(command -v swift)")")")")
    list_toolchain "$toolchain" >"$results/toolchain-paths"
    tar -c --exclude='usr/bin/*lldb*' --exclude=usr/bin/{sourcekit-lsp,docc,clangd,swift-format} \
        --exclude='usr/lib/liblldb*' --exclude='usr/lib/libsourcekitd*' --exclude='usr/lib/lib'{clang,LTO}'.so*' \
        -C "$results/debian" . \
        -C "$toolchain" --no-recursion --null --files-from "$results/toolchain-paths" |
        docker import - toolchain || return
    docker build --network host --tag "$(image_named swift)" - <"$checkout/deploy/checks/containers/swift.Dockerfile"
}

# The host of the checks of systemd.
make_host() {
    docker build --network host --tag almanac-host --build-arg "debian=$(image_named debian)" \
        --build-arg "packages=${host_packages[*]}" --file "$checkout/deploy/checks/containers/host.Dockerfile" \
        "$checkout/deploy/checks/containers"
}

# Its files, and the folders that Debian has not: docker takes no path twice.
list_toolchain() (
    cd -- "$1" || exit
    find usr -print0 | while IFS= read -rd '' path; do
        [[ -d $path && -d $results/debian/$path ]] || printf '%s\0' "$path"
    done
)
