# shellcheck shell=bash
# Completion of the program almanac in bash, which asks the program itself what can come next.
# Copy it to /usr/share/bash-completion/completions/almanac, or source it.

_almanac() {
    local word line
    local -a words
    # Bash takes = and : for words of their own; the program is shown them as they are typed.
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

# The words behind the program's name up to the cursor, one a line, the last one perhaps empty.
_almanac_words() {
    local before=${COMP_LINE:0:COMP_POINT}
    local -a words
    read -ra words <<<"$before"
    words=("${words[@]:1}")
    [[ -n $before && $before != *[[:space:]] ]] || words+=('')
    printf '%s\n' "${words[@]}"
}

complete -F _almanac almanac
