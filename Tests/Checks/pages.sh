# shellcheck shell=bash
# The hosts of pages: the layout of their files, and nginx's headers for them.

check_pages() {
    begin_part "The hosts of pages"
    check "the same pages are laid out as the same files, and changed ones at another address" lays_out_pages
    check "a description of the API with a name that occurs twice is refused" refuses_double_names
    check "CodeMirror is taken from what is there without a network" keeps_codemirror
    [[ $ALMANAC_TEST_DEPTH != long ]] ||
        check "another file of CodeMirror than the pinned one is refused" refuses_other_codemirror
    check "open pages find the files of two versions before, and no older ones stay" keeps_three_versions
    check "a page asks at once for all modules that its scripts import" imports_are_preloaded
    check "a page has its policy, and is asked for anew each time" page_headers
    check "the service worker of the notes names every file of their version, by what it holds" service_worker_names_all
    check "whatever changes of an application with a service worker, its version is another" version_is_of_all
    check "the service worker, the manifest and its pictures are asked for anew, with their types" installation_headers
    check "a text that is shared while no service worker is there is in no log" shared_text_is_not_kept
    check "what a page is made of is kept by browsers, typed and compressed" asset_headers
    check "a file comes as .br or .gz, whichever is taken" files_come_as_they_are_taken
    check "a file of a version that has gone is a problem that says so, and is not kept" vanished_asset
    check "the API answers on the hosts of pages as on its own, with the headers of programs" api_beside_pages
    check "a stream begins on the hosts of pages" stream_beside_pages
    check "only the hosts of pages say which application asks" application_is_named
    check "an answer to somebody with a cookie is nobody else's" cookie_is_not_cached
    check "what somebody signed in may read is nobody else's, immutable or not" signed_in_answers_stay_theirs
    check "the link of deploy/run signs in, once" link_signs_in
    check "health is for the host itself only, on the hosts of pages too" page_host_hides_health
    check "a certificate without the hosts' names is made anew by the same authority" certificate_gets_names
    check "the authority vouches for localhost and names below it, and for nothing else" authority_is_constrained
    check "a host that is switched off serves no page" host_is_switched_off
    check "a name that no page can have is refused" wrong_hosts_are_refused
}

on_console() {
    url_of=https://console.localhost:$port fetch "$@"
}

# Builds a small trial page in a separate folder, so that it replaces no version of the real pages.
lay_out_trial() {
    local checkout=$results/layouts
    printf 'a module' >"$results/module.wasm"
    publish_pages "$results/pages" "$results/laid-out" "$results/module.wasm"
    sed -nE 's#.*"(/assets/[0-9a-f]{12})/console/main.js".*#\1#p' "$results/laid-out/console/index.html"
}

# Copies CodeMirror to the folder of the trial pages.
copy_codemirror() {
    mkdir -p -- "$results/layouts/.build"
    cp -r -- "$checkout"/.build/codemirror-* "$results/layouts/.build/"
}

refuses_double_names() {
    ! "$checkout/deploy/lib/yaml-to-json" <<<$'a:\n  b: 1\n  b: 2' >"$results/output" 2>"$results/errors" || return 1
    grep "the name 'b' occurs twice" "$results/errors"
    "$checkout/deploy/lib/yaml-to-json" <<<$'a:\n  b: 1\nb: 2' | jq -e '.a.b == 1 and .b == 2'
}

lays_out_pages() {
    local first second
    mkdir -p -- "$results"/pages/{api/openapi/{paths,components,schemas},client,console,notes,shared}
    cp -- "$checkout"/Sources/Web/client/* "$results/pages/client/"
    touch "$results"/pages/api/openapi/{info,{paths,components,schemas}/some}.yaml
    printf '%s\n' '<p>' | tee "$results/pages/notes/index.html" >"$results/pages/api/index.html"
    printf '%s\n' '<script type="module" src="@assets@/console/main.js"></script>' >"$results/pages/console/index.html"
    printf '%s\n' '// Says it.' 'import { answer } from "../shared/answer.js";' 'document.title = answer;' \
        >"$results/pages/console/main.js"
    printf '%s\n' 'export const answer = 42;' >"$results/pages/shared/answer.js"
    printf '%s\n' '<svg xmlns="http://www.w3.org/2000/svg"/>' >"$results/pages/shared/icon.svg"
    first=$(lay_out_trial)
    [[ -n $first ]]
    cmp "$results/laid-out/console$first/shared/icon.svg" "$results/pages/shared/icon.svg"
    grep 42 "$results/laid-out/console$first/console/main.js"
    ! grep 'Says it' "$results/laid-out/console$first/console/main.js" || return 1
    (cd -- "$results/laid-out" && find . -type f -exec sha256sum {} + | sort) >"$results/sums"
    grep -F "console$first/console/main.js.gz" "$results/sums"
    mv -- "$results/laid-out" "$results/laid-out-before"
    touch -d yesterday "$results/pages/shared/answer.js"
    [[ $(lay_out_trial) == "$first" ]]
    (cd -- "$results/laid-out" && find . -type f -exec sha256sum {} + | sort) | diff "$results/sums" -
    printf '%s\n' 'export const answer = 43;' >"$results/pages/shared/answer.js"
    second=$(lay_out_trial)
    [[ $second != "$first" ]]
    gunzip -c "$results/laid-out/console$second/console/main.js.gz" | cmp - "$results/laid-out/console$second/console/main.js"
    gunzip -c "$results/laid-out/console/index.html.gz" | cmp - "$results/laid-out/console/index.html"
    grep 42 "$results/laid-out/console$first/console/main.js"
    # Use a separate shell, which ends at a failing command.
    printf '%s\n' 'import "./missing.js";' >>"$results/pages/shared/answer.js"
    # shellcheck disable=SC2016 # for that shell to expand
    ! env checkout="$results/layouts" bash -euo pipefail -c 'source "$1" && publish_pages "$2" "$3" "$4"' - \
        "$checkout/deploy/lib/pages.sh" "$results/pages" "$results/laid-out" "$results/module.wasm" 2>"$results/said" ||
        return 1
    grep -F 'missing.js' "$results/said"
}

keeps_codemirror() {
    local module
    module=$(PIP_NO_INDEX=1 PIP_FIND_LINKS=/nowhere codemirror_module)
    grep -qF 'EditorView' "$module"
}

refuses_other_codemirror() {
    local other=$results/other
    mkdir -p -- "$other"
    sed -E 's/(sha256:)[0-9a-f]{4}/\10000/' "$checkout/deploy/lib/codemirror.sh" >"$other/codemirror.sh"
    ! checkout=$other bash -euo pipefail -c 'source "$1" && codemirror_module' - "$other/codemirror.sh" \
        2>"$other/said" ||
        return 1
    grep -F 'CodeMirror could not be extracted' "$other/said"
    [[ -z $(ls -A "$other/.build") ]]
}

keeps_three_versions() {
    local number versions=()
    rm -rf -- "$results/laid-out"
    for number in 1 2 3 4; do
        printf 'export const answer = %s;\n' "$number" >"$results/pages/shared/answer.js"
        versions+=("$(lay_out_trial)")
        # Give the versions an age of one day each.
        touch -d "$((10 - number)) days ago" "$results/laid-out/console${versions[-1]}"
    done
    [[ ! -e $results/laid-out/console${versions[0]} ]]
    for number in 1 2 3; do [[ -e $results/laid-out/console${versions[number]} ]]; done
    # An older version that is built again becomes the newest.
    printf 'export const answer = 2;\n' >"$results/pages/shared/answer.js"
    [[ $(lay_out_trial) == "${versions[1]}" ]]
    printf 'export const answer = 5;\n' >"$results/pages/shared/answer.js"
    lay_out_trial
    [[ -e $results/laid-out/console${versions[1]} && ! -e $results/laid-out/console${versions[2]} ]]
    [[ $(find "$results/laid-out/console/assets" -mindepth 1 -maxdepth 1 | wc -l) == 3 ]]
}

imports_are_preloaded() {
    local name folder imported count=0
    for name in console notes; do
        folder=$(sed -nE 's#.*src="(/assets/[0-9a-f]{12})/[a-z]+/main.js".*#\1#p' "$home/www/$name/index.html")
        [[ -n $folder ]]
        while IFS= read -r imported; do
            grep -F "<link rel=\"modulepreload\" href=\"$folder/parts/$imported\">" "$home/www/$name/index.html"
            [[ -e $home/www/$name$folder/parts/$imported ]]
            count=$((count + 1))
        done < <(grep -ohE '(from|import)"\.\./parts/[^"]+' "$home/www/$name$folder/$name"/*.js |
            sed 's#.*/##' | LC_ALL=C sort -u)
    done
    ((count > 1))
}

page_headers() {
    local name policy
    for name in console notes; do
        url_of=https://$name.localhost:$port fetch / -H 'Accept-Encoding: gzip'
        status_is 200
        has_header content-type 'text/html; charset=utf-8'
        has_header content-encoding gzip
        has_header vary Accept-Encoding
        has_header cache-control no-cache
        # nginx would make an ETag of time and size, which two versions may share.
        lacks_header etag
        has_header cross-origin-opener-policy same-origin
        has_header cross-origin-resource-policy same-origin
        has_header permissions-policy '.*camera=\(\).*'
        policy=$(grep -i '^content-security-policy: ' "$results/headers.unix")
        [[ $(grep -c . <<<"$policy") == 1 ]]
        for word in "default-src 'none'" "script-src 'self' 'wasm-unsafe-eval'" "style-src 'self'" "img-src 'self'" \
            "connect-src 'self'" "base-uri 'none'" "form-action 'none'" "frame-ancestors 'none'" \
            "require-trusted-types-for 'script'"; do
            grep -F " $word" <<<"$policy;"
        done
        ! grep -E "unsafe-inline|'unsafe-eval'|https?:|data:|\*" <<<"$policy" || return 1
        fetch_again_unchanged
    done
    grep -F 'trusted-types almanac;' <<<"$policy"
    on_console /
    has_header content-security-policy ".*trusted-types 'none'.*"
}

fetch_again_unchanged() {
    local time
    time=$(grep -i '^last-modified: ' "$results/headers.unix" | cut -d' ' -f2-)
    url_of=https://$name.localhost:$port fetch / -H "If-Modified-Since: $time"
    status_is 200
    url_of=https://$name.localhost:$port fetch / -X POST
    is_problem 405 method-not-allowed
    has_header allow 'GET, HEAD'
}

asset_headers() {
    local folder=$home/www/console/assets/trial kind
    # Remove the folder even if the check fails.
    # shellcheck disable=SC2064
    trap "rm -rf -- '$folder'" EXIT
    mkdir -- "$folder"
    for kind in js mjs css json webmanifest wasm svg png woff2; do
        printf 'some text, some text, some text' >"$folder/file.$kind"
    done
    finish_files "$folder"
    while read -r kind type; do
        on_console "/assets/trial/file.$kind" -H 'Accept-Encoding: gzip'
        status_is 200
        has_header content-type "$type(; charset=utf-8)?"
        has_header content-encoding gzip
        has_header vary Accept-Encoding
        has_header cache-control 'public, max-age=31536000, immutable'
        has_header cross-origin-resource-policy same-origin
        has_header x-content-type-options nosniff
        on_console "/assets/trial/file.$kind"
        lacks_header content-encoding
    done <<'KINDS'
js text/javascript
mjs text/javascript
css text/css
json application/json
webmanifest application/manifest\+json
wasm application/wasm
svg image/svg\+xml
png image/png
woff2 font/woff2
KINDS
    # A service worker follows the policy of its own script.
    on_console /assets/trial/file.js
    has_header content-security-policy ".*connect-src 'self'.*"
    on_console /assets/trial/file.svg
    has_header content-security-policy "default-src 'none'; frame-ancestors 'none'"
}

vanished_asset() {
    on_console /assets/0123456789ab/console/main.js
    is_problem 404 not-found
    grep -F 'another version of the page' "$results/body"
    lacks_header cache-control
    has_header content-security-policy "default-src 'none'; frame-ancestors 'none'"
    on_console /assets/
    is_problem 404 not-found
}

# Checks that clients that accept brotli receive the .br file, and others the .gz file or the plain file.
files_come_as_they_are_taken() {
    local folder=$home/www/console/assets/trial taken coding
    # Remove the folder even if the check fails.
    # shellcheck disable=SC2064
    trap "rm -rf -- '$folder'" EXIT
    mkdir -- "$folder"
    printf 'some text, some text, some text' >"$folder/file.js"
    finish_files "$folder"
    while IFS='|' read -r taken coding; do
        on_console /assets/trial/file.js ${taken:+-H "Accept-Encoding: $taken"}
        status_is 200
        has_header vary Accept-Encoding
        has_header cache-control 'public, max-age=31536000, immutable'
        if [[ $coding == none ]]; then
            lacks_header content-encoding
            cmp -- "$results/body" "$folder/file.js"
            continue
        fi
        has_header content-encoding "$coding"
        cmp -- "$results/body" "$folder/file.js.${coding/gzip/gz}"
    done <<'TAKEN'
gzip, deflate, br, zstd|br
br|br
gzip, deflate|gzip
gzip, br;q=0|gzip
deflate|none
|none
TAKEN
    brotli -dc "$folder/file.js.br" | cmp - "$folder/file.js"
    on_console / -H 'Accept-Encoding: gzip, br'
    has_header content-encoding br
    has_header vary Accept-Encoding
    has_header cache-control no-cache
    fetch / -H 'Accept-Encoding: gzip, br'
    has_header content-encoding br
    brotli -dc "$results/body" | grep -F '<title>Almanac</title>'
}
