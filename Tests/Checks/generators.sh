# shellcheck shell=bash
# A client that a published generator makes from the description of the API, with its own instance.

check_generators() {
    run_swift_test "A generated client for Python" "$checkout/Tests/Generators/run"
}
