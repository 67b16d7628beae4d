# shellcheck shell=bash
# A client that a published generator makes from the description of the API, with its own instance, and Kotlin that the
# command line generates.

check_generators() {
    run_swift_test "A generated client for Python" "$checkout/Tests/Generators/run"
    begin_part "Generated Kotlin"
    check "generated Kotlin compiles, and reads values with their types" "$checkout/Tests/Generators/kotlin/run"
}
