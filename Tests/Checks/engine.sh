# shellcheck shell=bash
# Starts a Docker engine for one test, beside any other engine, with its own folder and socket and without rules in
# the host's firewall. Makes the images that the compose file names from Debian's packages and from local builds.

# Returns success in a long run, in which images build the programs and the pages from source.
is_long() {
    [[ ${ALMANAC_TEST_DEPTH:-standard} == long ]]
}

# Starts the engine. Its images, containers and volumes are in $results/engine.
start_engine() {
    local network=()
    begin_part "Starting a Docker engine"
    # A browser on this machine aborts its requests whenever a bridge appears or disappears, so the engine has its own
    # network without access to the outside. A build from source needs the host's network.
    is_long || network=(unshare --net -- sh -c 'ip link set lo up && exec "$@"' dockerd)
    export DOCKER_HOST=unix://$results/engine.sock
    export DOCKER_BUILDKIT=1 COMPOSE_DOCKER_CLI_BUILD=1 BUILDKIT_PROGRESS=plain
    # Use no user's settings or credentials, and Debian's docker, which builds with BuildKit by default.
    export DOCKER_CONFIG=$results/docker
    export PATH=/usr/bin:$PATH
    spawn_detached "$results/engine.log" "${network[@]}" dockerd --host "$DOCKER_HOST" --pidfile "$results/engine.pid" \
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

# Runs a command, which can't be a function, in the engine's network.
in_engine_network() {
    nsenter --target "$engine" --net -- "$@"
}

# Ends with status 77, because the machine can't run the tests.
cannot_test() {
    warn "$1; these tests were skipped, see the lines above"
    exit 77
}

# Stops the engine, also after an interruption. No process, bridge or mount of the engine may remain.
stop_engine() {
    [[ -n ${engine:-} ]] || return 0
    ask_engine ps --quiet | ask_engine_about kill
    ask_engine ps --all --quiet | ask_engine_about rm --force
    # A network's bridge would outlive the engine.
    ask_engine network prune --force >/dev/null
    end_process "$engine" TERM 60 || true
    end_rest_of_engine
    unmount_all
    engine=
}

# Sends a command to the engine. A broken engine must not block the clean-up.
ask_engine() {
    timeout 60 docker "$@" 2>/dev/null || true
}

ask_engine_about() {
    timeout 120 xargs -r docker "$@" >/dev/null 2>&1 || true
}

# Ends the engine's remaining processes, which have this test's folder in their command line.
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

# Prints the full name of an image as the files of this checkout have it.
image_named() {
    grep -ohE "docker\.io/library/$1:[A-Za-z0-9._-]+" "$checkout/docker-compose.yml" \
        "$checkout"/deploy/containers/{,provider.}Dockerfile | sort -u
}

make_stand_ins() {
    if is_long; then
        begin_part "Making images in place of $(image_named debian), $(image_named postgres) and $(image_named swift)"
    else
        begin_part "Making images in place of $(image_named debian) and $(image_named postgres)"
    fi
    interruptible make_images debian || cannot_test "no image of Debian could be made"
    docker run --rm --network none "$(image_named debian)" true >"$results/trial.log" 2>&1 || {
        show_tail "$results/trial.log"
        cannot_test "the Docker engine runs no container here"
    }
    interruptible make_images host postgres || fail "not all images could be made"
    if is_long; then
        interruptible make_images swift || fail "the image of the Swift toolchain could not be built"
    else
        interruptible make_images built || fail "the image of the programs and the pages could not be built"
    fi
    rm -rf --one-file-system -- "$results/debian"
}

# Makes images in order, because later images may be based on earlier ones.
make_images() {
    local kind
    for kind; do
        "make_$kind" >"$results/$kind.log" 2>&1 && continue
        warn "the image \"$kind\" could not be built"
        show_tail "$results/$kind.log"
        return 1
    done
}

# Makes the image of Debian. In a long run, containers fetch packages like this machine. Otherwise the image contains
# the packages of all other images, because those are made without a network.
make_debian() {
    local root=$results/debian sources=() file fetch=() change=()
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian*.sources; do
        [[ ! -s $file ]] || sources+=("$file")
    done
    apt-config dump Acquire | grep -v '^Acquire::IndexTargets' >"$results/apt-settings"
    # shellcheck disable=SC2016 # The hook's shell reads the variables.
    is_long || fetch=(--customize-hook='APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get -q -y --no-install-recommends \
        --download-only install '"$(packages_of_images | tr '\n' ' ')"' && mkdir "$1/packages" &&
        mv "$1"/var/cache/apt/archives/*.deb "$1/packages/"')
    # Like the official slim image, this image has no manuals, and dpkg skips its syncs.
    mmdebstrap --mode=root --variant=minbase --format=directory --aptopt="$results/apt-settings" \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt=force-unsafe-io "${fetch[@]}" \
        bookworm "$root" "${sources[@]}" || return
    if is_long; then
        # Trust this machine's authorities, because the machine may use a proxy with its own authority.
        install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$root/usr/local/share/ca-certificates/this-machine.crt"
        change=(--change 'ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt')
    else
        rm -f -- "$root/etc/apt/sources.list" "$root"/etc/apt/sources.list.d/*
        printf 'deb [trusted=yes] file:/packages ./\n' >"$root/etc/apt/sources.list"
        list_packages "$root/packages" >"$root/packages/Packages" || return
    fi
    tar -c -C "$root" . | docker import "${change[@]}" - "$(image_named debian)"
}

# Prints the names of the packages that images install, except for build stages on the Swift image.
packages_of_images() {
    {
        sed -e ':continued' -e '/\\$/{N; s/\\\n//; t continued' -e '}' \
            "$checkout"/deploy/containers/Dockerfile "$checkout"/Tests/Checks/containers/{host,postgres}.Dockerfile |
            awk '/^FROM / { of_swift = /swift/ } !of_swift' | grep -o 'apt-get install [^&]*' | tr -s ' ' '\n' |
            grep -vxE 'apt-get|install|[^a-z0-9].*'
        dpkg-deb --field "$package" Depends | tr ',' '\n' | sed -E 's/ *\(.*//; s/^ *//'
    } | sort -u
}

# Prints apt's index of the packages in a folder.
list_packages() {
    local file
    for file in "$1"/*.deb; do
        dpkg-deb --field "$file" || return
        printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "${file##*/}" "$(stat -c %s "$file")" \
            "$(sha256sum <"$file" | cut -c 1-64)"
    done
}

make_host() {
    docker build --network host --tag almanac-host --build-arg "debian=$(image_named debian)" \
        --file "$checkout/Tests/Checks/containers/host.Dockerfile" "$checkout/Tests/Checks/containers"
}

make_postgres() {
    docker build --network host --tag "$(image_named postgres)" --build-arg "debian=$(image_named debian)" \
        --file "$checkout/Tests/Checks/containers/postgres.Dockerfile" "$checkout/Tests/Checks/containers"
}

# Makes an image of the files in the package, from which other images copy them.
make_built() {
    local folder=$results/built
    dpkg-deb --extract "$package" "$folder" || return
    docker build --tag almanac-built --file "$checkout/Tests/Checks/containers/built.Dockerfile" "$folder" || return
    rm -rf -- "$folder"
}

# Makes the image of the compiler, without debuggers and language servers. The image is a single layer with Debian,
# because another copy of 2 GB takes long.
make_swift() {
    local toolchain
    toolchain=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "$(command -v swift)")")")")
    list_toolchain "$toolchain" >"$results/toolchain-paths"
    tar -c --exclude='usr/bin/*lldb*' --exclude=usr/bin/{sourcekit-lsp,docc,clangd,swift-format} \
        --exclude='usr/lib/liblldb*' --exclude='usr/lib/libsourcekitd*' --exclude='usr/lib/lib'{clang,LTO}'.so*' \
        -C "$results/debian" . \
        -C "$toolchain" --no-recursion --null --files-from "$results/toolchain-paths" |
        docker import - toolchain || return
    docker build --network host --tag "$(image_named swift)" - <"$checkout/Tests/Checks/containers/swift.Dockerfile"
}

# Lists the toolchain's files, and the folders that Debian lacks, because docker rejects a repeated path.
list_toolchain() (
    cd -- "$1" || exit
    find usr -print0 | while IFS= read -rd '' path; do
        [[ -d $path && -d $results/debian/$path ]] || printf '%s\0' "$path"
    done
)
