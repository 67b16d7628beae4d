# shellcheck shell=bash
# The operator's site in nginx on a Debian host, and the trial of it with nginx's files of a release.
#
# The sourcing script sets share: the folder with nginx's files of the release.

site=/etc/almanac/nginx/almanac.conf
# The conffile among nginx's files (see is_edited in preinst).
limits=/etc/nginx/almanac-limits.conf

# Sets host, port and page_hosts to those of the operator's site; without a site, to the defaults.
read_site() {
    host=''
    port=''
    if [[ -e $site ]]; then
        host=$(sed -nE 's/^ *server_name +([^ ;]+).*/\1/p' "$site" | sed -n 1p)
        port=$(sed -nE 's/^ *listen +([0-9]+)[ ;].*/\1/p' "$site" | sed -n 1p)
    fi
    host=${host:-localhost} port=${port:-443}
    set_page_hosts "$(page_host_of_site console)" "$(page_host_of_site notes)"
    page_hosts[console]=${page_hosts[console]:-console.$host}
    page_hosts[notes]=${page_hosts[notes]:-notes.$host}
}

# Prints the host of an application's pages in the operator's site; nothing if there is none.
page_host_of_site() {
    [[ ! -e $site ]] || sed -n "/server_name/h; /almanac_application $1;/{x; s/.*server_name *//; s/[; ].*//p}" "$site"
}

site_from_template() {
    local text addresses=("$port") also
    text=$(<"$share/nginx/site.conf.template")
    if has_ipv6_loopback; then
        addresses+=("[::]:$port")
    else
        text=$(sed '/listen \[::\]/d' <<<"$text")
    fi
    text=${text//@host@/"$host"}
    printf '%s\n' "${text//@port@/"$port"}"
    # Other servers of this host must not get these lines.
    also=$(sed -n '/access_log/,/almanac-tls/p' "$share/nginx/site.conf.template")
    render_page_hosts "$share/nginx/pages.conf.template" /usr/share/almanac/www "${also#"${also%%[! ]*}"}" "${addresses[@]}"
}

# Fails if nginx would refuse the operator's site together with the files of this release. nginx checks a copy of its
# configuration with the new files.
refuse_unfit_site() {
    local trial=$1 file
    mkdir -- "$trial"
    cp -a -- /etc/nginx/. "$trial"
    # Debian refers to its own files by absolute paths. The site refers to Almanac's files relative to nginx.conf.
    sed -i "s#/etc/nginx/#$trial/#g" "$trial/nginx.conf"
    for file in "$share"/nginx/almanac-*.conf; do
        if [[ $file != */"${limits##*/}" ]] || ! is_edited "$limits"; then
            install -m 644 -- "$file" "$trial/"
        fi
    done
    ln -sfn -- "$site" "$trial/conf.d/almanac.conf"
    ln -sfn -- "${site%/*}/almanac-hosts.conf" "$trial/almanac-hosts.conf"
    command nginx -t -q -c "$trial/nginx.conf" 2>"$trial/errors" && return 0
    warn "nginx would refuse this version's configuration together with $site:"
    sed "s#$trial/#/etc/nginx/#g; s/^/    /" "$trial/errors" >&2
    read_site
    site_from_template >"$site.new"
    warn "lines that a new installation has in $site, and your file lacks:"
    { diff -- "$site" "$site.new" || true; } | sed -n 's/^> /    /p' >&2
    fail "nothing was changed; add the missing lines to $site ($site.new has all lines), then install again"
}
