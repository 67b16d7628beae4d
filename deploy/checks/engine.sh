# shellcheck shell=bash
# A Docker engine for one test, beside any other: its own folder and socket, no rule in the host's firewall. And the
# images that the compose file names, made of what is on this machine.

# Images, containers and volumes are under $results/engine, and go with it.
start_engine() {
    say "Starting a Docker engine."
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
            fail "the Docker engine does not start"
        fi
        sleep 0.1
    done
}

stop_engine() {
    local container
    [[ -n ${engine:-} ]] || return 0
    for container in $(docker ps --quiet 2>/dev/null); do
        docker kill "$container" >/dev/null 2>&1 || true
    done
    remove_networks
    end_process "$engine" TERM 60 || true
    engine=
}

# A bridge of a network would outlive the engine.
remove_networks() {
    docker ps --all --quiet 2>/dev/null | xargs -r docker rm --force >/dev/null 2>&1 || true
    docker network prune --force >/dev/null 2>&1 || true
}

# The whole name of an image as a file of this checkout has it.
image_named() {
    grep -ohE "docker\.io/library/$1:[A-Za-z0-9._-]+" "$checkout/docker-compose.yml" \
        "$checkout"/deploy/containers/*.Dockerfile | sort -u
}

make_stand_ins() {
    local kind
    for kind in debian postgres swift; do
        say "Making an image in place of $(image_named "$kind")."
        interruptible "make_$kind" >"$results/$kind.log" 2>&1 && continue
        show_tail "$results/$kind.log"
        fail "no image could be made in place of $(image_named "$kind")"
    done
}

make_debian() {
    local root=$results/debian settings=/etc/apt
    debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian
    # The image reaches packages the way this machine does.
    rm -f -- "$root/etc/apt/sources.list" "$root"/var/cache/apt/archives/*.deb
    cp -r -- "$settings"/sources.list "$root/etc/apt/" 2>/dev/null || true
    cp -r -- "$settings"/sources.list.d/debian*.sources "$root/etc/apt/sources.list.d/" 2>/dev/null || true
    cp -- "$settings"/apt.conf.d/* "$root/etc/apt/apt.conf.d/"
    # And it trusts whom this machine trusts, which may reach the network through a proxy of its own authority.
    install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$root/usr/local/share/ca-certificates/this-machine.crt"
    tar -C "$root" -c . | docker import --change 'ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt' - "$(image_named debian)"
    rm -rf -- "$root"
}

make_postgres() {
    docker build --network host --tag "$(image_named postgres)" --build-arg "debian=$(image_named debian)" \
        --file "$checkout/deploy/checks/containers/postgres.Dockerfile" "$checkout/deploy/checks/containers"
}

# The compiler, without debuggers and editors' servers.
make_swift() {
    local toolchain
    toolchain=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "$(command -v swift)")")")")
    tar -c --exclude='usr/bin/*lldb*' --exclude=usr/bin/{sourcekit-lsp,docc,clangd,swift-format} \
        --exclude='usr/lib/liblldb*' --exclude='usr/lib/libsourcekitd*' --exclude=usr/lib/swift/embedded \
        -C "$toolchain" usr -C "$checkout/deploy/checks/containers" swift.Dockerfile |
        docker build --network host --tag "$(image_named swift)" --build-arg "debian=$(image_named debian)" \
            --file swift.Dockerfile -
}
