# shellcheck shell=bash
# Tests that TextMerge as WebAssembly returns the same results as the native library.

check_wasm() {
    begin_part "TextMerge as WebAssembly"
    check "the vectors come out in Node as the library has them" pages_module_runs_vectors
    check "the module has at most 60,000 bytes in brotli" module_is_small
}

# Runs the vectors in the pages' module, which was built with the programs.
pages_module_runs_vectors() {
    run_vectors "$ALMANAC_PROGRAMS/textmerge.wasm"
}

module_is_small() {
    (($(brotli --quality=11 --stdout -- "$ALMANAC_PROGRAMS/textmerge.wasm" | wc -c) <= 60000))
}

run_vectors() {
    node --experimental-default-type=module "$checkout/Sources/Web/wasm/vectors.mjs" \
        "$checkout/Tests/Core/TextMergeTests/vectors.json" "$@"
}

check_wasm_at_length() {
    begin_part "The build of TextMerge as WebAssembly"
    check "the module builds" wasm_builds
    check "building it again gives the same bytes" wasm_is_reproducible
    check "the vectors come out in wasmkit, too" wasmkit_runs_vectors
}

wasm_builds() {
    "$checkout/Sources/Web/wasm/build" "$results/wasm"
}

wasm_is_reproducible() {
    "$checkout/Sources/Web/wasm/build" "$results/wasm-again"
    diff -r -- "$results/wasm" "$results/wasm-again"
}

wasmkit_runs_vectors() {
    run_vectors "$results"/wasm/textmerge-????????????????.wasm "$results/wasm/textmerge-wasi.wasm"
}
