# shellcheck shell=bash
# The app libraries as an app's dependencies: each product builds alone, its programs link no libraries of the server,
# and an app's targets and types may have the same names as Almanac's.

check_links() {
    local program
    begin_part "Links of programs of the libraries for apps"
    for program in AlmanacColourDemo AlmanacNotesEditor AlmanacSignInDemo; do
        check "$program links nothing of the server's" links_no_server "$program"
    done
}

check_libraries_at_length() {
    local library
    begin_part "Libraries for apps, taken in by an app"
    for library in TextMerge AlmanacTargeting AlmanacConfig AlmanacFlags AlmanacNotes AlmanacSignIn; do
        check "the product $library builds alone" product_builds "$library"
    done
    check "an app builds without pkg-config and the headers of the server's libraries, and without a warning" \
        app_builds_with_few_headers
    check "an app with names like Almanac's takes the libraries in, and syncs a note" app_syncs_a_note
}

# Builds a product, or only the target of a library without a fixed type, for which SwiftPM has no product.
product_builds() {
    local kind=--product
    [[ $1 != TextMerge && $1 != AlmanacTargeting ]] || kind=--target
    swift build --package-path "$checkout" "$kind" "$1" 2>&1 | tee "$results/product.log"
    ! grep -F 'building the default target instead' "$results/product.log" || return 1
}

links_no_server() {
    ldd "$checkout/.build/debug/$1" >"$results/libraries"
    # libcurl's presence shows that the list is complete.
    grep -q 'libcurl' "$results/libraries"
    ! grep -E 'libfcgi|libpq|libjansson' "$results/libraries" || return 1
}

# Builds the app like its developers: warnings are no errors, pkg-config and the server's headers are missing.
build_app() {
    local header server=$home/server-headers
    for header in openssl/{bio,crypto,err,evp,pem,sha,x509}.h postgresql/libpq-fe.h libpq-fe.h fcgiapp.h jansson.h \
        yaml.h; do
        mkdir -p -- "$server/$(dirname -- "$header")"
        printf '#error "an app has to install %s"\n' "$header" >"$server/$header"
    done
    mkdir -p -- "$home/tools"
    printf '#!/bin/sh\nexit 127\n' >"$home/tools/pkg-config"
    chmod +x -- "$home/tools/pkg-config"
    app=(env -u ALMANAC_WARNINGS -u ALMANAC_FAST_TESTS -u PKG_CONFIG_PATH PATH="$home/tools:$PATH"
        swift build --package-path "$checkout/Tests/AppPackage" --scratch-path "$checkout/.build/app" -Xcc "-I$server")
    "${app[@]}" --product App
}

app_builds_with_few_headers() {
    local app
    build_app 2>&1 | tee "$results/app.log"
    ! grep -F 'warning:' "$results/app.log" || return 1
}

app_syncs_a_note() {
    local token app
    build_app
    token=$("$bin/almanac" token user development --sub app --environments "$environments_file")
    mkdir -m 700 -- "$home/app-files"
    "$("${app[@]}" --show-bin-path)/App" "$(instance_url)/development" app "$token" "$home/app-files" "$tls/ca.pem" |
        grep -E '^synced .+ "Groceries" #[0-9A-F]{6}$'
    curl -sS --noproxy '*' --fail --cacert "$tls/ca.pem" --header "Authorization: Bearer $token" \
        "$(instance_url)/development/notes" | grep '"Groceries"'
}
