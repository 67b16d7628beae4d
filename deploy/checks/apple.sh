# shellcheck shell=bash
# What only Apple's platforms have in the libraries for apps, built and run with stand-ins for Apple's modules.

check_apple() {
    run_swift_package "Libraries for apps, with stand-ins for Apple's modules" "$checkout/Tests/Apple" \
        --scratch-path "$checkout/.build/apple"
}
