# shellcheck shell=bash
# environments.json belongs to the operator: it is created if missing, then only read.
#
# The sourcing script sets environments_file, and local_hosts: the addresses of the PostgreSQL that the script manages.

# Prints a line per environment: its name, the server and the name of its database, and the password files of the
# workers and the owner. U+001F separates the fields, because any may be empty.
list_environments() {
    jq -r 'def part($name):
            [capture("(^|\\s)\($name)\\s*=\\s*(\u0027(?<quoted>[^\u0027]*)\u0027|(?<plain>[^\u0027\\s]+))")
                | .quoted // .plain][0] // "";
        to_entries[] | .value as $settings | ($settings.owner.database // $settings.database) as $place
        | [.key, ($place | part("host")), ($place | part("dbname")), $settings.password_file // "",
            $settings.owner.password_file // ""] | join("\u001f")' "$environments_file"
}

# Prints the environments whose database is on this machine, in the same form.
list_local_environments() {
    local name host rest
    while IFS=$'\x1f' read -r name host rest; do
        if is_local_host "$host"; then
            printf '%s\x1f%s\x1f%s\n' "$name" "$host" "$rest"
        fi
    done < <(list_environments)
}

is_local_host() {
    local host
    for host in "${local_hosts[@]}"; do
        [[ $host != "$1" ]] || return 0
    done
    return 1
}

# Prints the psql variables for sql/roles.sql. A password without a file stays unchanged.
roles_settings() {
    local database=$1 worker_file=$2 owner_file=$3
    printf '\\set database %s\n' "$database"
    [[ -z $worker_file ]] || printf '\\set worker_password %s\n' "$(psql_word "$worker_file")"
    [[ -z $owner_file ]] || printf '\\set owner_password %s\n' "$(psql_word "$owner_file")"
}

# Prints the first line of a file, quoted for psql's \set.
psql_word() {
    local text=
    IFS= read -r text <"$1" || [[ -n $text ]] || return 1
    text=${text%$'\r'}
    text=${text//\\/\\\\}
    printf "'%s'" "${text//\'/\'\'}"
}

# Replaces the login almanac_worker, which the workers of earlier releases shared, by each environment's own.
# Everything else in environments.json stays unchanged.
name_own_logins() {
    local file=$environments_file text name database place
    text=$(<"$file")
    while IFS=$'\x1f' read -r name database place; do
        [[ $text == *"\"$place\""* ]] || continue
        text=${text//"\"$place\""/"\"$(own_login "$database" "$place")\""}
        say "Environment $name: its workers now log in as ${database}_worker, and can open no other database."
    done < <(list_shared_logins)
    [[ $text != "$(<"$file")" ]] || return 0
    cp -p -- "$file" "$file.new"
    printf '%s\n' "$text" >"$file.new"
    cp -p -- "$file" "$file~"
    mv -- "$file.new" "$file"
    say "$file was changed accordingly; the old file is $file~."
}

own_login() {
    sed -E "s/(^|[[:space:]])user=almanac_worker([[:space:]]|$)/\\1user=$1_worker\\2/" <<<"$2"
}

# Prints the local environments whose workers log in as almanac_worker: name, database, connection string.
list_shared_logins() {
    local name host database rest place
    while IFS=$'\x1f' read -r name host database rest; do
        place=$(jq -r --arg name "$name" '.[$name].database' "$environments_file")
        if [[ " $place " =~ [[:space:]]user=almanac_worker[[:space:]] ]]; then
            printf '%s\x1f%s\x1f%s\n' "$name" "$database" "$place"
        fi
    done < <(list_local_environments)
}
