# shellcheck shell=bash
# docker-compose.yml as an operator uses it: built, started, asked, scaled, broken and taken down.

check_containers() {
    say "docker-compose.yml"
    trial_etc=$results/etc
    trial_port=$(free_port 19443)
    ca=$results/ca.pem
    export COMPOSE_PROJECT_NAME=almanac-test ALMANAC_PORT=$trial_port ALMANAC_ETC=$trial_etc
    cp -r -- "$checkout/deploy/containers/etc" "$trial_etc"
    # In place of a .env that may lie in the checkout.
    : >"$results/settings"

    check "images are pinned to a version" images_are_pinned
    check "images build" builds
    check "programs are stripped and bring Swift's library with them" programs_are_small
    check "one command starts everything from nothing" starts_from_nothing
    ((failed == 0)) || return 0
    check "every container is confined and limited" containers_are_confined
    check "no password is in an environment variable, a command line or a log" secrets_stay_in_files
    check "each container sees its own secrets only" secrets_are_separate
    check "config is written and read through nginx over TLS" serves_config
    check "notes are written and read through nginx over TLS" serves_notes
    check "static files are served" serves_static_files
    check "a stream tells of a change" serves_stream
    check "health is not for the network" health_is_hidden
    check "a worker that hangs is seen by its health check" sees_hanging_worker
    check "nginx finds three workers after --scale worker=3" finds_scaled_workers
    check "workers restarted one after another refuse no read" restarts_workers_unnoticed
    check "nothing acknowledged is lost while every process is killed" survives_kills
    check "every service comes back from a restart" restarts_services
    check "an environment that is added to environments.json is served" adds_environment
    check "after down and up the data, the passwords and the certificate are the same" keeps_everything
    check "a certificate of one's own is used and left alone" uses_own_certificate
    check "a user of the provider to try logins with writes a note" signs_in_at_provider
    check "down --volumes leaves nothing behind" leaves_nothing
}

compose() {
    docker-compose --project-directory "$checkout" --env-file "$results/settings" --file "$checkout/docker-compose.yml" \
        --file "$checkout/deploy/checks/containers/compose.yml" "$@"
}

start_all() {
    compose up --detach --no-build "$@"
}

containers_of() {
    docker ps --quiet --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" \
        --filter "label=com.docker.compose.service=$1"
}

# A request through nginx; the path first, then further options of curl.
request() {
    local path=$1
    shift
    curl -sS --noproxy '*' --max-time 20 --cacert "$ca" "$@" "https://localhost:$trial_port$path"
}

answers() {
    request /development/config --fail --max-time 5 --output /dev/null
}

await() {
    local deadline=$((SECONDS + 60))
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < deadline))
        sleep 0.1
    done
}

command_line_tool() {
    compose run --rm -T almanac "$@" 2>>"$results/tool.log"
}

with_token() {
    printf 'Authorization: Bearer %s' "$(<"$results/$1.token")"
}

images_are_pinned() {
    local image
    grep -hoE '(image: |FROM |--from=)docker\.io/[^ ]+' "$checkout/docker-compose.yml" "$checkout"/deploy/containers/*.Dockerfile |
        sort -u >"$results/images"
    cat -- "$results/images"
    [[ $(wc -l <"$results/images") -ge 3 ]]
    ! grep -vE ':[0-9]+\.[0-9.]+(-[a-z]+)?$' "$results/images" || return 1
}

builds() {
    compose build
    # A profile's services are built when they are asked for.
    command_line_tool --help | grep 'almanac migrate'
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

all_are_healthy() {
    local container health
    for container in $(containers_of postgres) $(containers_of worker) $(containers_of events) $(containers_of nginx); do
        health=$(docker inspect --format '{{.State.Health.Status}}' "$container")
        [[ $health == healthy ]] || return 1
    done
}

# Asked of the engine, not of the file.
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
            [[ $added == '[CHOWN]' ]]
        else
            [[ $added == '[]' && -n $user && $user != 0* && $user != root* ]]
        fi
    done
}

all_containers() {
    docker ps --all --quiet --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME"
}

password_of() {
    docker run --rm --volume "${COMPOSE_PROJECT_NAME}_$1_secret:/secret:ro" "$(image_named debian)" cat /secret/password
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

serves_config() {
    command_line_tool token create development --scope admin --label test >"$results/admin.token"
    request /development/config.json --fail | tee "$results/entries"
    [[ $(<"$results/entries") == '{}' ]]
    request /development/config/app.theme --fail -X PUT -H "$(with_token admin)" --json '{"value": "dark"}'
    request /development/config.json --fail | tee "$results/entries"
    [[ $(<"$results/entries") == '{"app.theme":"dark"}' ]]
    # Another environment has a database of its own.
    request /staging/config.json --fail | tee "$results/entries"
    [[ $(<"$results/entries") == '{}' ]]
}

serves_notes() {
    command_line_tool token user development --sub alice >"$results/alice.token"
    request /development/notes --fail -H "$(with_token alice)" \
        --json '[["createNote", {"action_id": "first", "id": "n1", "title": "Groceries", "body": "milk"}]]' |
        grep '"status":"applied"'
    request /development/notes --fail -H "$(with_token alice)" | grep '"body":"milk"'
    request /development/notes --output /dev/null --write-out '%{http_code}' | grep 401
}

serves_static_files() {
    request / --fail | grep '<title>'
    request /openapi.yaml --fail | grep '^openapi:'
}

serves_stream() {
    local reader
    request /development/events --no-buffer --max-time 60 >"$results/stream" &
    reader=$!
    await grep '"hello"' "$results/stream"
    request /development/config/app.streamed --fail -X PUT -H "$(with_token admin)" --json '{"value": true}'
    await grep 'app.streamed' "$results/stream"
    end_tree "$reader"
    cat -- "$results/stream"
}

health_is_hidden() {
    [[ $(request /-/ready --output /dev/null --write-out '%{http_code}') == 403 ]]
}

# Whether the container's own health check succeeds now.
health_check() {
    local -a test
    mapfile -t test < <(docker inspect --format '{{range .Config.Healthcheck.Test}}{{println .}}{{end}}' "$1" | sed '/^$/d')
    timeout 5 docker exec "$1" "${test[@]:1}"
}

sees_hanging_worker() {
    local worker
    worker=$(containers_of worker)
    health_check "$worker"
    docker kill --signal STOP "$worker"
    ! health_check "$worker" || return 1
    docker kill --signal CONT "$worker"
    await health_check "$worker"
}

# Distinct addresses that nginx has had connections to, on the port of the workers; from the kernel's own table.
workers_that_nginx_used() {
    local id
    for _ in {1..30}; do
        answers
    done
    id=$(containers_of nginx)
    docker exec "$id" cat /proc/net/tcp | awk '$3 ~ /:2328$/ { print $3 }' | sort -u
}

three_workers_are_used() {
    [[ $(workers_that_nginx_used | wc -l) == 3 ]]
}

finds_scaled_workers() {
    start_all --scale worker=3
    await all_are_healthy
    await three_workers_are_used
    [[ $(containers_of worker | wc -l) == 3 ]]
}

# Reads without end until told, and writes down what was not answered with 200.
read_on() {
    local status
    until [[ -e $results/enough || ! -d $results ]]; do
        status=$(request /development/config --output /dev/null --write-out '%{http_code}') || true
        printf '%s\n' "$status" >>"$results/statuses"
    done
}

has_read_more_than() {
    (($(wc -l <"$results/statuses") > $1 + 6))
}

restarts_workers_unnoticed() {
    local reader worker
    rm -f -- "$results/enough" "$results/statuses"
    trap 'touch "$results/enough"' EXIT
    : >"$results/statuses"
    read_on &
    reader=$!
    for worker in $(containers_of worker); do
        docker restart "$worker"
        await health_check "$worker"
        await has_read_more_than "$(wc -l <"$results/statuses")"
    done
    touch "$results/enough"
    wait "$reader"
    sort "$results/statuses" | uniq -c
    (($(grep -c '^200$' "$results/statuses") > 18))
    ! grep -v '^200$' "$results/statuses" || return 1
}

# Writes entries and notes without end until told, and writes down those that were acknowledged.
write_on() {
    local number=0 status
    until [[ -e $results/enough || ! -d $results ]]; do
        number=$((number + 1))
        status=$(request "/development/config/drill.$number" -X PUT -H "$(with_token admin)" \
            --json "{\"value\": $number}" --output /dev/null --write-out '%{http_code}') || true
        [[ $status != 2?? ]] || printf 'drill.%s\n' "$number" >>"$results/acknowledged"
        status=$(request /development/notes -H "$(with_token alice)" --output "$results/answer" \
            --write-out '%{http_code}' \
            --json "[[\"createNote\", {\"action_id\": \"a$number\", \"id\": \"drill-$number\", \"body\": \"$number\"}]]") || true
        [[ $status != 200 ]] || printf 'drill-%s\n' "$number" >>"$results/acknowledged"
    done
}

# Not with docker kill, after which no restart policy holds: the process itself dies.
kill_container() {
    kill -s KILL "$(docker inspect --format '{{.State.Pid}}' "$1")"
}

runs_anew() {
    local container=$1 former=$2 present
    present=$(docker inspect --format '{{.State.Running}} {{.State.Pid}}' "$container")
    [[ $present == "true "* && $present != "true $former" ]]
}

acknowledged_more_than() {
    (($(wc -l <"$results/acknowledged") > $1 + 4))
}

survives_kills() {
    local writer service container former
    rm -f -- "$results/enough"
    : >"$results/acknowledged"
    trap 'touch "$results/enough"' EXIT
    write_on &
    writer=$!
    for service in worker nginx postgres events postgres; do
        for container in $(containers_of "$service"); do
            await acknowledged_more_than "$(wc -l <"$results/acknowledged")"
            former=$(docker inspect --format '{{.State.Pid}}' "$container")
            kill_container "$container"
            await runs_anew "$container" "$former"
        done
    done
    await acknowledged_more_than "$(wc -l <"$results/acknowledged")"
    touch "$results/enough"
    wait "$writer"
    await answers
    nothing_acknowledged_is_missing
}

entries_are_as_new_as() {
    request /development/config.json --fail -H "Almanac-Min-Revision: $1" --output "$results/entries"
}

# Any worker may answer, so it is told of a write that came after all others.
nothing_acknowledged_is_missing() {
    local revision
    request /development/config/drill.last --fail -X PUT -H "$(with_token admin)" --json "{\"value\": \"$RANDOM$RANDOM\"}" |
        tee "$results/last"
    revision=$(grep -oP '"revision":\K[0-9]+' "$results/last")
    await entries_are_as_new_as "$revision"
    request '/development/notes?limit=1000' --fail -H "$(with_token alice)" >"$results/notes"
    python3 - "$results" <<'END'
import json, sys
folder = sys.argv[1]
acknowledged = [line.strip() for line in open(f"{folder}/acknowledged")]
entries = json.load(open(f"{folder}/entries"))
notes = json.load(open(f"{folder}/notes"))
assert not notes.get("more"), "the notes came in pages"
assert len(acknowledged) > 20, f"only {len(acknowledged)} writes were acknowledged"
for name in acknowledged:
    if name.startswith("drill-"):
        assert notes["details"][name]["body"] == name[6:], f"note {name} is wrong"
    else:
        assert entries[name] == int(name[6:]), f"entry {name} is wrong"
assert len(set(notes["order"])) == len(notes["order"]), "a note is doubled"
print(len(acknowledged), "acknowledged writes are all there")
END
}

restarts_services() {
    local service
    for service in postgres worker events nginx; do
        compose restart --timeout 20 "$service"
        await answers
        await all_are_healthy
    done
    nothing_acknowledged_is_missing
}

serves_preview() {
    request /preview/config --fail --output /dev/null
}

adds_environment() {
    ! serves_preview || return 1
    sed -E 's/"staging": \{/"preview": {/; s/almanac_staging/almanac_preview/' "$trial_etc/environments.json" |
        python3 -c '
import json, sys
path = sys.argv[1]
former = json.load(open(path))
former["preview"] = json.load(sys.stdin)["preview"]
json.dump(former, open(path, "w"), indent=2)' "$trial_etc/environments.json"
    # As the README says.
    start_all --scale worker=3
    compose kill -s HUP worker events
    await serves_preview
}

fingerprint() {
    printf '%s\n' "$(password_of superuser)" "$(password_of worker)"
    compose exec -T nginx cat /tls/server.pem
    request /development/config.json --fail
    request '/development/notes?limit=1000' --fail -H "$(with_token alice)"
}

keeps_everything() {
    fingerprint >"$results/before"
    compose down
    [[ -z $(all_containers) ]]
    start_all
    await answers
    fingerprint >"$results/after"
    cmp "$results/before" "$results/after"
    nothing_acknowledged_is_missing
}

uses_own_certificate() {
    local folder=$results/own
    mkdir -- "$folder"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$folder/server.key" \
        -out "$folder/server.pem" -days 2 -subj /CN=own -addext subjectAltName=DNS:localhost 2>/dev/null
    chown 33 "$folder/server.key"
    cp -- "$folder/server.pem" "$results/own.pem"
    ALMANAC_TLS=$folder start_all
    ca=$folder/server.pem
    await answers
    cmp "$results/own.pem" "$folder/server.pem"
    [[ $(cd -- "$folder" && echo *) == "server.key server.pem" ]]
}

# A request to the provider from this host; the path first, then further options of curl.
ask_provider() {
    local path=$1
    shift
    curl -sS --noproxy '*' --max-time 20 --cacert "$results/provider.pem" \
        --connect-to "provider:8444:localhost:$ALMANAC_PROVIDER_PORT" "$@" "https://provider:8444$path"
}

provider_answers() {
    ask_provider /.well-known/openid-configuration --fail
}

# The authorization code flow with PKCE, as an app and its browser go through it.
sign_in() {
    local user=$1 password=$2 verifier challenge page transaction code
    verifier=$(openssl rand -hex 32)
    challenge=$(printf '%s' "$verifier" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d =)
    page=$(ask_provider "/authorize?response_type=code&client_id=notes-app&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback&scope=openid&state=s&code_challenge=$challenge&code_challenge_method=S256" \
        --fail --cookie-jar "$results/cookies")
    transaction=$(grep -oP 'name="transaction_id" value="\K[^"]+' <<<"$page")
    code=$(ask_provider /authorize --cookie "$results/cookies" --dump-header - --output /dev/null \
        --data-urlencode "transaction_id=$transaction" --data "username=$user&password=$password" |
        grep -oP '^location: .*[?&]code=\K[^&\s]+' -i)
    ask_provider /token --fail --data "grant_type=authorization_code&client_id=notes-app&code_verifier=$verifier" \
        --data-urlencode "code=$code" --data-urlencode redirect_uri=http://127.0.0.1:9/callback |
        grep -oP '"access_token": ?"\K[^"]+'
}

signs_in_at_provider() {
    export ALMANAC_PROVIDER_PORT
    ALMANAC_PROVIDER_PORT=$(free_port 18444)
    compose down
    cp -- "$checkout/deploy/containers/etc-provider/environments.json" "$trial_etc/environments.json"
    compose --profile provider up --detach
    compose exec -T nginx cat /tls/ca.pem >"$ca"
    await answers
    compose exec -T provider cat /certificate/server.pem >"$results/provider.pem"
    await provider_answers
    ! sign_in alice wrong || return 1
    sign_in alice wonderland >"$results/login.token"
    request /development/notes --fail -H "$(with_token login)" \
        --json '[["createNote", {"action_id": "signed-in", "id": "signed-in", "body": "mine"}]]' | grep '"status":"applied"'
    # The development issuer's tokens have no power here any more, and a key is nobody else's.
    [[ $(request /development/notes -H "$(with_token alice)" --output /dev/null --write-out '%{http_code}') == 401 ]]
    ! compose exec -T worker cat /provider/server.key || return 1
}

leaves_nothing() {
    compose --profile tools --profile provider down --volumes --rmi local
    [[ -z $(all_containers) ]]
    [[ -z $(docker volume ls --quiet --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME") ]]
    [[ -z $(docker network ls --quiet --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME") ]]
    ! docker images --format '{{.Repository}}' | grep "^$COMPOSE_PROJECT_NAME" || return 1
}
