# shellcheck shell=bash
# What only Apple's platforms have in the libraries for apps, built and run with stand-ins for Apple's modules.

# One of the tests goes to the instance, over Foundation's transport, which trusts what the variable names on Linux.
check_apple() {
    local token
    token=$("$bin/almanac" token user development --sub apple --environments "$environments_file")
    ALMANAC_APPLE_TOKEN=$token URLSessionCertificateAuthorityInfoFile=$tls/ca.pem \
        run_swift_package "Libraries for apps, with stand-ins for Apple's modules" "$checkout/Tests/Apple" \
        --scratch-path "$checkout/.build/apple"
}
