# shellcheck shell=bash
# The images of docker-compose.yml, its first start, and the confinement and secrets of its containers.

images_are_pinned() {
    local image
    grep -hoE '(image: |FROM |--from=)docker\.io/[^ ]+' "$checkout/docker-compose.yml" "$checkout"/deploy/containers/{,provider.}Dockerfile |
        sort -u >"$results/images"
    cat -- "$results/images"
    [[ $(wc -l <"$results/images") -ge 3 ]]
    ! grep -vE ':[0-9]+\.[0-9.]+(-[a-z]+)?$' "$results/images" || return 1
}

example_has_defaults() {
    diff <(grep -oE '\$\{ALMANAC_[^}]+' "$checkout/docker-compose.yml" | sed 's/^..//; s/:-/=/' | grep -v '=$' | sort -u) \
        <(sed -n 's/^#ALMANAC_/ALMANAC_/p' "$checkout/deploy/containers/env.example" | grep -v '=$' | sort)
}

# Builds two groups of images in parallel: in a long run, one group compiles while the other fetches packages. The
# provider is not part of the service, and its Python packages need a network, so only a long run builds it.
builds() {
    local others provider=()
    ! is_long || provider=(provider)
    compose --profile provider build prepare nginx databases "${provider[@]}" >"$results/others.log" 2>&1 &
    others=$!
    compose build migrate worker events backup
    wait "$others" || {
        cat -- "$results/others.log"
        return 1
    }
    # The services of a profile are built when they are first used.
    command_line_tool --help | grep '^  migrate '
}

programs_are_small() {
    local container program
    container=$(docker create "${COMPOSE_PROJECT_NAME}_worker")
    mkdir -p -- "$results/programs"
    for program in almanac almanac-worker almanac-events; do
        docker cp "$container:/usr/bin/$program" "$results/programs/"
        ! readelf --sections --wide "$results/programs/$program" | grep -F .symtab || return 1
        ! readelf --dynamic --wide "$results/programs/$program" | grep -i swift || return 1
    done
    docker rm "$container"
}

starts_from_nothing() {
    start_all
    compose exec -T nginx cat /tls/ca.pem >"$ca"
    await answers
    await all_are_healthy
    compose ps
}

# Checks the settings in the engine instead of those in the file.
containers_are_confined() {
    local container name file_system capabilities added memory processes user options
    for container in $(all_containers); do
        IFS='|' read -r name file_system capabilities added memory processes user options < <(docker inspect --format \
            '{{.Name}}|{{.HostConfig.ReadonlyRootfs}}|{{.HostConfig.CapDrop}}|{{.HostConfig.CapAdd}}|{{.HostConfig.Memory}}|{{.HostConfig.PidsLimit}}|{{.Config.User}}|{{.HostConfig.SecurityOpt}}' \
            "$container")
        printf '%s\n' "$name: $file_system $capabilities $added $memory $processes $user $options"
        [[ $file_system == true && $capabilities == '[ALL]' && $options == *no-new-privileges* ]]
        ((memory > 0 && processes > 0))
        if [[ $name == *prepare* ]]; then
            [[ $added == '[CHOWN DAC_READ_SEARCH SETGID SETUID]' ]]
        else
            [[ $added == '[]' && -n $user && $user != 0* && $user != root* ]]
        fi
    done
}

secrets_stay_in_files() {
    local kind password container
    for kind in superuser owner worker; do
        password=$(password_of "$kind")
        ((${#password} == 48))
        for container in $(all_containers); do
            ! docker inspect "$container" | grep -F "$password" || return 1
            ! docker logs "$container" 2>&1 | grep -F "$password" || return 1
        done
        ! grep -rF "$password" "$trial_etc" "$results/tool.log" || return 1
    done
}

secrets_are_separate() {
    compose exec -T worker ls /secrets | tee "$results/seen"
    [[ $(<"$results/seen") == worker ]]
    compose exec -T postgres ls /secrets | tee "$results/seen"
    [[ $(<"$results/seen") == superuser ]]
    ! compose exec -T nginx cat /tls/ca.key || return 1
    ! compose exec -T nginx ls /secrets || return 1
}
