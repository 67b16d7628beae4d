# shellcheck shell=bash
# OpenFeature's clients as they are published, and flagd's evaluator, with an instance of their own.

check_openfeature() {
    run_swift_test "OpenFeature's clients, and flagd's evaluator" "$checkout/Tests/OpenFeature/run"
}
