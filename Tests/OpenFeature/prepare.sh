# shellcheck shell=bash
# OpenFeature's and flagd's own packages for Python, in $checkout/.build.
#
# Who sources this sets checkout, and has messages.sh.

# shellcheck source=/dev/null
source "$checkout/deploy/lib/python.sh"

prepare_openfeature_clients() {
    clients=$(python_packages openfeature "$checkout/Tests/OpenFeature/requirements/clients.txt" \
        "OpenFeature's clients") || exit
}

# The interpreters with flagd's evaluator, by the version of splits that it makes.
prepare_flagd() {
    local version folder
    declare -gA flagd=()
    for version in 2 3; do
        folder=$(python_packages "flagd-$version" "$checkout/Tests/OpenFeature/requirements/flagd-$version.txt" \
            "flagd's evaluator of splits of version $version") || exit
        flagd[$version]=$folder/bin/python
    done
}
