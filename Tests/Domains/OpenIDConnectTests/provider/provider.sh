#!/usr/bin/env bash
# Starts and stops the tests' OpenID Connect provider, which only this machine can reach.
#
#   provider.sh install FOLDER   installs the program, the slow part of a first start
#   provider.sh start FOLDER     prints the issuer's URL; creates FOLDER for its state, log and process id
#   provider.sh stop FOLDER
#
# The program is installed once, under $ALMANAC_TEST_HOME or, if that is unset, in FOLDER. The settings and users are
# files beside this script or in $ALMANAC_TEST_PROVIDER. In the settings, @console@ stands for $ALMANAC_TEST_CONSOLE
# and @notes@ for $ALMANAC_TEST_NOTES.
set -euo pipefail

package=nanoidp==3.4.0
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

fail() {
    printf 'provider.sh: %s\n' "$*" >&2
    exit 1
}

# Installs into a draft folder and renames it at the end, so that an existing folder is always complete.
install_program() {
    local draft
    [[ ! -x $venv/bin/nanoidp ]] || return 0
    command -v python3 >/dev/null || fail "python3 is missing: apt-get install python3-venv"
    mkdir -p -- "$(dirname -- "$venv")"
    draft=$venv.$$
    trap 'rm -rf -- "$draft"' EXIT
    if ! { python3 -m venv --without-pip "$draft" &&
        PYTHONPATH=$(compgen -G '/usr/share/python-wheels/pip-*.whl') "$draft/bin/python" -m pip install --quiet \
            --no-compile --disable-pip-version-check "$package"; } >"$folder/install.log" 2>&1; then
        fail "$package could not be installed: $(tail -n 3 "$folder/install.log")"
    fi
    rm -rf -- "$venv"
    mv -- "$draft" "$venv"
    trap - EXIT
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
        # The script from pip names the draft folder's interpreter, so run the module instead.
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
venv=${ALMANAC_TEST_HOME:-$folder}/nanoidp-3.4.0
case $1 in
    install) install_program ;;
    start) start ;;
    stop) stop ;;
    *) fail "usage: provider.sh install|start|stop FOLDER" ;;
esac
