# shellcheck shell=bash
# Python packages, pinned by the hashes in a requirements file and cached in $checkout/.build.

# Programs keep their bytecode outside the sources. Without it, each start of the tests' programs takes a second longer.
unset PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX=${checkout:?}/.build/pycache

# Prints the folder of pip, unpacked once from Debian's wheel in the package python3-pip-whl, because Python keeps no
# bytecode of modules in a wheel. An environment with its own pip takes five seconds of processor time more to create.
unpacked_pip() {
    local wheel folder draft
    wheel=$(compgen -G '/usr/share/python-wheels/pip-*.whl') || return 0
    folder=$checkout/.build/$(basename -- "$wheel" .whl)
    if [[ ! -d $folder ]]; then
        draft=$folder.$BASHPID
        mkdir -p -- "$checkout/.build"
        python3 -m zipfile -e "$wheel" "$draft"
        # Another process may have been first.
        mv -T -- "$draft" "$folder" 2>/dev/null || rm -rf -- "$draft"
    fi
    printf '%s\n' "$folder"
}

# Prints the folder with the packages of a requirements file, and installs them the first time. A folder that exists is
# complete. Arguments: the folder's name, the requirements file, the purpose for messages.
python_packages() {
    local requirements=$2 purpose=$3 folder draft
    folder=$checkout/.build/$1-$(sha256sum <"$requirements" | cut -c1-12)
    if [[ ! -x $folder/bin/python ]]; then
        draft=$folder.$BASHPID
        say "Installing $purpose." >&2
        mkdir -p -- "$checkout/.build"
        if ! { python3 -m venv --without-pip "$draft" &&
            PYTHONPATH=$(unpacked_pip) "$draft/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check \
                --no-deps --require-hashes -r "$requirements"; } >"$draft.log" 2>&1; then
            show_tail "$draft.log"
            rm -rf -- "$draft" "$draft.log"
            fail "$purpose could not be installed: see $requirements"
        fi
        rm -rf -- "$draft.log" "$folder"
        # The moved scripts name their old folder, so callers run modules instead, or compiled programs.
        mv -- "$draft" "$folder"
    fi
    printf '%s\n' "$folder"
}
