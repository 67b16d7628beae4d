# shellcheck shell=bash
# The code of the app libraries that only Apple's platforms compile, built and run with stand-ins for Apple's modules.

check_apple() {
    local token='' authorities=/etc/ssl/certs/ca-certificates.crt
    local -a trusting=(unshare --mount)
    ((EUID == 0)) || trusting+=(--map-root-user)
    # Foundation on Linux trusts only the system's authorities, so mount a file that also contains the instance's.
    cat -- "$authorities" "$tls/ca.pem" >"$results/authorities.pem"
    # shellcheck disable=SC2016
    trusting+=(sh -c 'mount --bind "$0" "$1" && shift && exec "$@"' "$results/authorities.pem" "$authorities")
    if "${trusting[@]}" true; then
        token=$("$bin/almanac" token user development --sub apple --environments "$environments_file")
    else
        warn "the test of an app on two devices is skipped, because this machine does not allow mounts"
        trusting=()
    fi
    ALMANAC_APPLE_TOKEN=$token run_swift_test "Libraries for apps, with stand-ins for Apple's modules" "${trusting[@]}" \
        swift test --package-path "$checkout/Tests/Apple" --scratch-path "$checkout/.build/apple" -debug-info-format none
}
