# shellcheck shell=bash
# The release of an instance: its programs, pages and nginx files.
#
# A release is staged in a folder of the same file system, and the databases are migrated with its programs, before
# anything that is in use changes. Then the change-over renames files, which needs no space on the disk.
#
#   staged/bin  www  nginx   the files of the next release
#   staged/before            the programs and nginx files that it replaces, until its programs are ready
#   staged/release           the name of the next release, which becomes the file "release"

release_programs=(almanac-worker almanac-events almanac rotate-logs nightly-backups)

# Prints the name of the release that this checkout builds. The name ends with a digest of everything that is installed.
describe_release() {
    local version commit
    version=$(sed -nE 's/.* current = "(.*)"$/\1/p' "$checkout/Sources/Core/Revisions/AlmanacVersion.swift")
    if [[ -n ${ALMANAC_PROGRAMS:-} ]]; then
        commit="programs in $ALMANAC_PROGRAMS"
    else
        commit="commit $(git -c "safe.directory=$checkout" -C "$checkout" \
            describe --tags --always --dirty 2>/dev/null || printf unknown)"
    fi
    printf '%s (%s), digest %s\n' "$version" "$commit" "$(release_digest)"
}

release_digest() {
    local folder
    {
        if [[ -n ${ALMANAC_PROGRAMS:-} ]]; then
            cat -- "$ALMANAC_PROGRAMS"/{almanac{,-worker,-events},textmerge.wasm}
            hash_of "$checkout/Sources/Web"
        else
            hash_of "$checkout/Sources"
            cat -- "$checkout/Package.swift"
        fi
        for folder in sql deploy/nginx; do
            hash_of "$checkout/$folder"
        done
        cat -- "$checkout"/deploy/lib/{pages.sh,rotate-logs,nightly-backups}
    } | sha256sum | cut -c 1-12
}

# Prints the name of the installed release. Earlier versions of deploy/run replace the programs, but write no name.
installed_release() {
    if [[ -e $home/release && ! $bin/almanac -nt $home/release ]]; then
        cat -- "$home/release"
    else
        "$bin/almanac" --version 2>/dev/null || printf 'an unknown release\n'
    fi
}

is_installed_release() {
    [[ ${1##* } == "$(installed_release | sed 's/.* //')" ]]
}

# Copies a built release to the staging folder.
stage_release() {
    local programs=${ALMANAC_PROGRAMS:-$checkout/.build/release}
    staging=yes
    rm -rf -- "$staged"
    mkdir -p -- "$staged"/{bin,before/{bin,nginx}}
    install -m 755 -- "$programs"/almanac{,-worker,-events} "$checkout"/deploy/lib/{rotate-logs,nightly-backups} \
        "$staged/bin/"
    stage_pages "$checkout/Sources/Web" "$home/www" "$staged/www" "$programs/textmerge.wasm"
    printf '%s\n' "$release" >"$staged/release"
}

# Prepares the databases and nginx's files for a staged release. The programs and files of the release before remain
# in use, and work on the newer schema.
prepare_release() {
    make_environments_file
    make_attachments_folder
    name_own_logins
    mapfile -t environments < <(jq -r 'keys_unsorted[]' "$environments_file")
    make_certificate
    stage_nginx
    make_databases
    migrate_databases
}

# Replaces the programs that differ from those of the staged release. A running process keeps its old file.
install_programs() {
    local program
    changing=yes
    for program in "${release_programs[@]}"; do
        if [[ -e $bin/$program ]]; then
            cmp -s -- "$bin/$program" "$staged/bin/$program" && continue
            ln -f -- "$bin/$program" "$staged/before/bin/"
        fi
        mv -- "$staged/bin/$program" "$bin/"
    done
}

# Replaces the pages, once the programs of the release are ready.
finish_release() {
    # Removes the pages of releases that served only one host.
    find "$home/www" -mindepth 1 -maxdepth 1 -type f ! -name .version -delete
    publish_staged_pages "$staged/www" "$home/www"
    mv -- "$staged/release" "$home/release"
    changing=
}

# Changes a running instance over to the release of this checkout. Clients are refused nothing: the sockets stay open,
# streams are told to reconnect, and the old programs serve until the new ones are staged and the databases migrated.
upgrade() {
    local before began
    refuse_stopped_services
    take_lock
    refuse_stopped_services
    load_addresses
    refuse_other_settings
    address_of_all=$(<"$run/address")
    check_server_settings
    [[ -n ${ALMANAC_PROGRAMS:-} ]] || check_toolchain
    before=$(installed_release)
    release=$(describe_release)
    if is_installed_release "$release"; then
        say "$release runs already on $(instance_url)."
        return 0
    fi
    [[ -z $(list_shared_logins) ]] ||
        fail "the workers log in as almanac_worker, which only a start replaces; run $program --stop, then $program"
    check_disk_space
    install_packages "${build_packages[@]}" "${service_packages[@]}"
    find_postgres_programs
    build_release
    stage_release
    check_operators_files
    prepare_release
    try_staged_program worker
    try_staged_program events
    began=$SECONDS
    change_over
    say "Changed over from $before to $release in $((SECONDS - began)) s, on $(instance_url)."
}

# Starts a staged server program on a socket of its own, and fails unless it becomes ready. If this script is killed,
# the program ends by itself.
try_staged_program() {
    local socket=$sockets/staged.sock log=$logs/staged.log
    rm -f -- "$log" "$socket"
    spawn_server "$log" "$socket" /usr/bin/timeout 30 "$staged/bin/almanac-$1"
    interruptible_pid=$spawned
    until grep -qsF '"message":"ready"' "$log"; do
        if ! is_alive "$spawned"; then
            show_tail "$log"
            fail "almanac-$1 of this release did not start; the instance continues with the release before"
        fi
        sleep 0.05
    done
    end_interruptible
    rm -f -- "$socket"
}

change_over() {
    upgrading=yes
    install_programs
    restart_server worker
    await_ready
    # nginx reloads before almanac-events restarts, so that the streams, which the restart ends, reconnect to nginx's
    # new processes.
    install_nginx
    reload_nginx
    restart_server events
    await_ready
    finish_release
    upgrading=
    [[ ! -e $staged/before/bin/rotate-logs ]] || stop_rotation
    [[ ! -e $staged/before/bin/nightly-backups ]] || stop_backups
    # A start that was killed has not started them.
    [[ -n $(processes_in "$logs") ]] || start_rotation
    [[ -n $(processes_in "$backups") ]] || start_backups
    rm -rf -- "$staged"
}

# Puts the programs and nginx files of the release before back, if a change-over has begun and not finished.
put_back_release() {
    local file present
    if [[ -n ${changing:-} ]]; then
        for file in "$staged"/before/{bin,nginx}/*; do
            present=$home/${file#"$staged/before/"}
            [[ ! -e $file || $file -ef $present ]] || mv -- "$file" "$present" || return
        done
    fi
    if [[ -n ${upgrading:-} ]]; then
        restart_server worker && reload_nginx && restart_server events && (await_ready) || return
    fi
    [[ -z ${staging:-} ]] || rm -rf -- "$staged"
}
