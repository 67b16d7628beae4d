# shellcheck shell=bash
# Python's packages, each by the hash in a list of requirements, kept in $checkout/.build.

# Prints the folder with the packages of a list, made once for each list: one that is there is complete.
# Its name, the list, and what is installed.
python_packages() {
    local requirements=$2 purpose=$3 folder draft
    folder=$checkout/.build/$1-$(sha256sum <"$requirements" | cut -c1-12)
    if [[ ! -x $folder/bin/python ]]; then
        draft=$folder.$BASHPID
        say "Installing $purpose." >&2
        mkdir -p -- "$checkout/.build"
        if ! { python3 -m venv "$draft" &&
            "$draft/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
                -r "$requirements"; } >"$draft.log" 2>&1; then
            show_tail "$draft.log"
            rm -rf -- "$draft" "$draft.log"
            fail "$purpose could not be installed: see $requirements"
        fi
        rm -rf -- "$draft.log" "$folder"
        # Its scripts name the folder that they were installed in, so they are run as modules, or are programs.
        mv -- "$draft" "$folder"
    fi
    printf '%s\n' "$folder"
}
