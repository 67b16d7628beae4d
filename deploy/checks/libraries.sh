# shellcheck shell=bash
# What an app takes in with a library: the product builds alone, and a program of it links nothing of the server's.

check_libraries() {
    local library
    say "Libraries for apps"
    for library in TextMerge AlmanacConfig AlmanacNotes AlmanacSignIn; do
        check "the product $library builds alone" product_builds "$library"
    done
    check "a program of AlmanacConfig links nothing of the server's" links_no_server AlmanacColourDemo
    check "a program of AlmanacNotes links nothing of the server's" links_no_server AlmanacNotesEditor
    check "a program of AlmanacSignIn links nothing of the server's" links_no_server AlmanacSignInDemo
}

product_builds() {
    swift build --package-path "$checkout" --product "$1"
}

links_no_server() {
    local program
    program=$(swift build --package-path "$checkout" --show-bin-path)/$1
    swift build --package-path "$checkout" --product "$1"
    ldd "$program" >"$results/libraries"
    # What it has to link shows that the list is one.
    grep -q 'libcurl' "$results/libraries"
    ! grep -E 'libfcgi|libpq|libjansson' "$results/libraries" || return 1
}
