# shellcheck shell=bash
# environments.json, which belongs to the operator: made where there is none, then only read.
#
# Who sources this sets environments_file, and local_hosts: the addresses of the PostgreSQL that it takes care of.

# A line for each environment: its name, and of its database the server, the name, and the files with the passwords of
# the workers and of the owner; with the character U+001F between them, since any may be empty.
list_environments() {
    jq -r 'def part($name):
            [capture("(^|\\s)\($name)\\s*=\\s*(\u0027(?<quoted>[^\u0027]*)\u0027|(?<plain>[^\u0027\\s]+))")
                | .quoted // .plain][0] // "";
        to_entries[] | .value as $settings | ($settings.owner.database // $settings.database) as $place
        | [.key, ($place | part("host")), ($place | part("dbname")), $settings.password_file // "",
            $settings.owner.password_file // ""] | join("\u001f")' "$environments_file"
}

# The same, of those whose database is here.
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

# What sql/roles.sql takes in front of it. A password that no file holds is left as it is.
roles_settings() {
    local database=$1 worker_file=$2 owner_file=$3
    printf '\\set database %s\n' "$database"
    [[ -z $worker_file ]] || printf '\\set worker_password %s\n' "$(psql_word "$worker_file")"
    [[ -z $owner_file ]] || printf '\\set owner_password %s\n' "$(psql_word "$owner_file")"
}

# The first line of a file as psql's \set takes it.
psql_word() {
    local text=
    IFS= read -r text <"$1" || [[ -n $text ]] || return 1
    text=${text%$'\r'}
    text=${text//\\/\\\\}
    printf "'%s'" "${text//\'/\'\'}"
}

# The workers of earlier releases shared one login, almanac_worker. Where environments.json names it, the environment's
# own takes its place; everything else in the file stays as it is.
name_own_logins() {
    local file=$environments_file text name database place
    text=$(<"$file")
    while IFS=$'\x1f' read -r name database place; do
        [[ $text == *"\"$place\""* ]] || continue
        text=${text//"\"$place\""/"\"$(own_login "$database" "$place")\""}
        say "Environment $name: its workers log in as ${database}_worker now, and can open no other database."
    done < <(list_shared_logins)
    [[ $text != "$(<"$file")" ]] || return 0
    cp -p -- "$file" "$file.new"
    printf '%s\n' "$text" >"$file.new"
    cp -p -- "$file" "$file~"
    mv -- "$file.new" "$file"
    say "$file was changed so; the former one is $file~."
}

own_login() {
    sed -E "s/(^|[[:space:]])user=almanac_worker([[:space:]]|$)/\\1user=$1_worker\\2/" <<<"$2"
}

# Environments here whose workers log in as almanac_worker: name, database, connection string.
list_shared_logins() {
    local name host database rest place
    while IFS=$'\x1f' read -r name host database rest; do
        place=$(jq -r --arg name "$name" '.[$name].database' "$environments_file")
        if [[ " $place " =~ [[:space:]]user=almanac_worker[[:space:]] ]]; then
            printf '%s\x1f%s\x1f%s\n' "$name" "$database" "$place"
        fi
    done < <(list_local_environments)
}
