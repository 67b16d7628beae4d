# shellcheck shell=bash
# The offline parts of pages: the service worker and its list, the manifest with its icons, and TextMerge.

# Prints a file of the notes app that has a fixed address, from this instance's built pages.
notes_file() {
    cat -- "$home/www/notes/$1"
}

# Prints the service worker's list of files and hashes, sorted: "notes/main.js sha256-…".
service_worker_list() {
    local folder=$1 version=$2
    grep -oE "\"/assets/$version/[^\" ]+ sha256-[A-Za-z0-9+/=]+\"" "$folder/sw.js" |
        sed -E "s#^\"/assets/$version/##; s#\"\$##" | LC_ALL=C sort
}

service_worker_names_all() {
    local version file
    version=$(notes_file sw.js | sed -nE 's/^const version = "([0-9a-f]{12})";$/\1/p')
    [[ -n $version ]]
    grep -F "/assets/$version/notes/main.js" "$home/www/notes/index.html"
    cmp -- "$home/www/notes/index.html" "$home/www/notes/assets/$version/notes/index.html"
    ! notes_file sw.js | grep -E '@[a-z]+@"' || return 1
    (
        cd -- "$home/www/notes/assets/$version" || exit
        find . -type f ! -name '*.br' ! -name '*.gz' -printf '%P\n' | LC_ALL=C sort | while IFS= read -r file; do
            printf '%s sha256-%s\n' "$file" "$(openssl dgst -sha256 -binary "$file" | base64)"
        done
    ) >"$results/files"
    service_worker_list "$home/www/notes" "$version" | diff "$results/files" -
    grep '^notes/engine/worker.js ' "$results/files"
    grep '^notes/text/textmerge.wasm ' "$results/files"
}

# Checks that any change, also of a file that no module imports, yields another version.
version_is_of_all() {
    local pages=$results/notes-pages laid=$results/notes-laid versions=() module=$results/other.wasm change
    copy_codemirror
    mkdir -p -- "$pages"/{api/openapi/{paths,components,schemas},console,notes,shared}
    cp -r -- "$checkout/Sources/Web/client" "$pages/"
    local checkout=$results/layouts
    touch "$pages"/api/openapi/{info,{paths,components,schemas}/some}.yaml
    printf '%s\n' '<script type="module" src="@assets@/notes/main.js"></script>' >"$pages/notes/index.html"
    printf '%s\n' 'import("./later.js");' >"$pages/notes/main.js"
    printf '%s\n' 'console.log("later");' >"$pages/notes/later.js"
    printf '%s\n' 'const files = ["@files@"]; const version = "@version@";' >"$pages/notes/sw.js"
    printf '%s\n' '<svg/>' >"$pages/shared/icon.svg"
    printf '%s\n' '<p>' | tee "$pages/api/index.html" >"$pages/console/index.html"
    printf 'a module' >"$module"
    for change in nothing index.html main.js later.js sw.js icon.svg module; do
        case $change in
            nothing) ;;
            index.html) printf '%s\n' '<p>' >>"$pages/notes/index.html" ;;
            icon.svg) printf '%s\n' ' ' >>"$pages/shared/icon.svg" ;;
            module) printf 'another' >>"$module" ;;
            *) printf 'console.log("%s");\n' "$change" >>"$pages/notes/$change" ;;
        esac
        publish_pages "$pages" "$laid" "$module"
        versions+=("$(sed -nE 's/.*version = "([0-9a-f]{12})".*/\1/p' "$laid/notes/sw.js")")
        grep -E "\"/assets/${versions[-1]}/parts/later-[A-Z0-9]+.js sha256-" "$laid/notes/sw.js"
        [[ ! -e $laid/console/sw.js ]]
    done
    printf '%s\n' "${versions[@]}"
    [[ $(printf '%s\n' "${versions[@]}" | sort -u | wc -l) == "${#versions[@]}" ]]
}

on_notes() {
    url_of=https://notes.localhost:$port fetch "$@"
}

installation_headers() {
    local policy own size
    on_notes /sw.js -H 'Accept-Encoding: br'
    status_is 200
    has_header content-type 'text/javascript; charset=utf-8'
    has_header content-encoding br
    has_header cache-control no-cache
    lacks_header etag
    policy=$(grep -i '^content-security-policy: ' "$results/headers.unix")
    own="font-src 'self'; worker-src 'self'; manifest-src 'self'"
    grep -F "connect-src 'self'; $own; trusted-types almanac;" <<<"$policy"
    on_notes /manifest.webmanifest
    status_is 200
    has_header content-type application/manifest.json
    has_header cache-control no-cache
    jq -e '.id and .start_url == "/" and .scope == "/" and .display == "standalone" and (.shortcuts | length == 2)
        and .share_target.method == "POST"' "$results/body"
    jq -r '.icons[] | "\(.src) \(.sizes)"' "$results/body" >"$results/icons"
    [[ $(wc -l <"$results/icons") == 3 ]]
    while read -r file size; do
        on_notes "$file"
        status_is 200
        has_header content-type image/png
        has_header cache-control no-cache
        # The first chunk of a PNG file contains its width and height.
        [[ $(od -A n -t u1 -j 18 -N 2 "$results/body" | awk '{ print $1 * 256 + $2 }') == "${size%x*}" ]]
        [[ $(od -A n -t u1 -j 22 -N 2 "$results/body" | awk '{ print $1 * 256 + $2 }') == "${size#*x}" ]]
    done <"$results/icons"
    on_console /sw.js
    status_is 404
}

# Checks that the server does not store a shared text, which it receives if the service worker is missing.
shared_text_is_not_kept() {
    local secret=shared-$RANDOM$RANDOM
    on_notes /share.html -F "title=$secret" -F "text=$secret"
    status_is 303
    has_header location '/\?shared=lost'
    # A text of the greatest accepted size.
    head -c 6000000 /dev/zero | tr '\0' x >"$results/long"
    on_notes /share.html -F "text=<$results/long"
    status_is 303
    on_console /share.html -F "text=$secret"
    is_problem 404 not-found
    await_line '"path":"/share.html"' "$home/log/nginx-access.log"
    ! grep -rF "$secret" "$home/log" || return 1
}

# Waits for a line of a log. nginx writes its log in batches, at most a second late.
await_line() {
    local deadline=$((SECONDS + 60))
    until grep -qF "$1" "$2"; do
        ((SECONDS < deadline))
        sleep 0.05
    done
}

