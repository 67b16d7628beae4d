# shellcheck shell=bash
# Completion of the program almanac in bash. The program itself lists the candidates.
# Copy this file to /usr/share/bash-completion/completions/almanac, or source it.

_almanac() {
    local word line
    local -a words
    # Bash splits words at = and :, so the words are split again as they were typed.
    mapfile -t words < <(_almanac_words)
    word=${words[-1]}
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :file ]]; then
            compopt -o filenames
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
        else
            COMPREPLY+=("${line#"${word%"${word##*[:=]}"}"}")
        fi
    done < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
}

# Prints the words after the program's name up to the cursor, one per line; the last one may be empty.
_almanac_words() {
    local before=${COMP_LINE:0:COMP_POINT}
    local -a words
    read -ra words <<<"$before"
    words=("${words[@]:1}")
    [[ -n $before && $before != *[[:space:]] ]] || words+=('')
    printf '%s\n' "${words[@]}"
}

complete -F _almanac almanac
