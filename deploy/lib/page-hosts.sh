# shellcheck shell=bash
# The hosts of the pages: their names, and the nginx servers that serve them.

applications=(console notes)

# The name of each application's host, or "off"; of a starting service, the names from the settings.
declare -A page_hosts

set_page_hosts() {
    page_hosts=([console]=$1 [notes]=$2)
}

page_host_is_valid() {
    [[ $1 == off || $1 =~ ^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$ ]]
}

served_applications() {
    local application
    for application in "${applications[@]}"; do
        [[ ${page_hosts[$application]:-off} == off ]] || printf '%s\n' "$application"
    done
}

# Prints the nginx servers of the pages. Arguments: the template, the folder with the pages, extra lines for each
# server, and the listening addresses.
render_page_hosts() {
    local template=$1 www=$2 also=$3 application listen='' text
    shift 3
    for address in "$@"; do
        listen+="${listen:+$'\n    '}listen $address ssl http2;"
    done
    for application in $(served_applications); do
        text=$(<"$template")
        text=${text//@application@/"$application"}
        text=${text//@host@/"${page_hosts[$application]}"}
        text=${text//@listen@/"$listen"}
        text=${text//"    @also@"$'\n'/"${also:+"    $also"$'\n'}"}
        printf '\n%s\n' "${text//@www@/"$www"}"
    done
}

has_ipv6_loopback() {
    grep -qs '^00000000000000000000000000000001 ' /proc/net/if_inet6
}
