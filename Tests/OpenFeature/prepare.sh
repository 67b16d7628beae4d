# shellcheck shell=bash
# The Python packages of OpenFeature, flagd and Unleash, in $checkout/.build.
#
# The sourcing script sets checkout, and has sourced messages.sh.

# shellcheck source=/dev/null
source "$checkout/deploy/lib/python.sh"

prepare_openfeature_clients() {
    clients=$(python_packages openfeature "$checkout/Tests/OpenFeature/requirements/clients.txt" \
        "OpenFeature's clients") || exit
}

# Sets flagd to the interpreters with flagd's evaluator, by version of splits.
prepare_flagd() {
    local version folder
    declare -gA flagd=()
    for version in 2 3; do
        folder=$(python_packages "flagd-$version" "$checkout/Tests/OpenFeature/requirements/flagd-$version.txt" \
            "flagd's evaluator of splits of version $version") || exit
        flagd[$version]=$folder/bin/python
    done
}

# Sets unleash to the interpreter with Unleash's client.
prepare_unleash() {
    local folder
    folder=$(python_packages importers-unleash "$checkout/Tests/Importers/requirements/unleash.txt" \
        "the client of unleash") || exit
    unleash=$folder/bin/python
}
