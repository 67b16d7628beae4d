#!/usr/bin/env bash
# Starts and stops the tests' OpenID Connect provider, which only this machine can reach.
#
#   provider.sh install FOLDER   installs the program, the slow part of a first start; leaves FOLDER empty
#   provider.sh start FOLDER     prints the issuer's URL; creates FOLDER for its state, log and process id
#   provider.sh stop FOLDER
#
# The program is installed once per checkout, in .build. The settings and users are files beside this script or in
# $ALMANAC_TEST_PROVIDER. In the settings, @console@ stands for $ALMANAC_TEST_CONSOLE and @notes@ for
# $ALMANAC_TEST_NOTES.
set -euo pipefail

program=provider.sh
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
checkout=$(cd -- "$here/../../../.." && pwd)
for part in messages python; do
    # shellcheck source=/dev/null
    source "$checkout/deploy/lib/$part.sh"
done

# Sets venv to the folder with the program.
install_program() {
    command -v python3 >/dev/null || fail "python3 is missing: apt-get install python3-venv"
    venv=$(python_packages nanoidp "$here/requirements.txt" "the identity provider of the tests") || exit
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

is_ours() {
    [[ -n $1 && -r /proc/$1/cmdline ]] && tr '\0' ' ' <"/proc/$1/cmdline" | grep -qF -- "nanoidp --config $folder/config"
}

start() {
    local port issuer pid deadline
    mkdir -p -- "$folder/config"
    install_program
    port=$(free_port)
    issuer=http://127.0.0.1:$port
    sed -e "s/@port@/$port/g" -e "s#@console@#${ALMANAC_TEST_CONSOLE:-}#g" \
        -e "s#@notes@#${ALMANAC_TEST_NOTES:-}#g" "$settings/settings.yaml" >"$folder/config/settings.yaml"
    cp -- "$settings/users.yaml" "$folder/config/users.yaml"
    (
        cd -- "$folder/config"
        exec setsid "$venv/bin/python" -m nanoidp --config "$folder/config" --strict-config \
            </dev/null >"$folder/log" 2>&1
    ) &
    pid=$!
    printf '%s\n' "$pid" >"$folder/pid"
    deadline=$((SECONDS + 30))
    until curl -fsS --noproxy '*' -o "$folder/discovery.json" "$issuer/.well-known/openid-configuration" 2>/dev/null; do
        kill -0 "$pid" 2>/dev/null || fail "the provider ended at once: $(tail -n 5 "$folder/log")"
        ((SECONDS < deadline)) || fail "the provider does not answer: $(tail -n 5 "$folder/log")"
        sleep 0.1
    done
    printf '%s\n' "$issuer"
}

stop() {
    local pid
    pid=$(cat -- "$folder/pid" 2>/dev/null || true)
    if is_ours "$pid"; then
        kill -s TERM "$pid" 2>/dev/null || true
        for ((tries = 0; tries < 50; tries++)); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        kill -s KILL "$pid" 2>/dev/null || true
    fi
    rm -f -- "$folder/pid"
}

(($# == 2)) || fail "usage: provider.sh install|start|stop FOLDER"
folder=$(mkdir -p -- "$2" && cd -- "$2" && pwd)
settings=${ALMANAC_TEST_PROVIDER:-$here}
case $1 in
    install) install_program ;;
    start) start ;;
    stop) stop ;;
    *) fail "usage: provider.sh install|start|stop FOLDER" ;;
esac
