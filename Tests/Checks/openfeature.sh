# shellcheck shell=bash
# OpenFeature's published clients and flagd's evaluator, with their own instance.

check_openfeature() {
    run_swift_test "OpenFeature's clients, and flagd's evaluator" "$checkout/Tests/OpenFeature/run"
}
