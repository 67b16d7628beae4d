# shellcheck shell=bash
# TextMerge as WebAssembly: it builds to the same bytes, and gives what the library gives natively. So does
# AlmanacTargeting, which no page has yet.

check_wasm() {
    begin_part "Libraries as WebAssembly"
    check "the module builds" wasm_builds
    check "building it again gives the same bytes" wasm_is_reproducible
    check "pages have the same bytes, at most 60 kB compressed" textmerge_is_small
    check "the vectors come out in Node and in wasmkit as the library has them" wasm_runs_vectors
    check "AlmanacTargeting builds, and random flags come out in Node as flagd has them" targeting_runs_cases
}

wasm_builds() {
    "$checkout/deploy/wasm/build" "$results/wasm"
}

wasm_is_reproducible() {
    "$checkout/deploy/wasm/build" "$results/wasm-again"
    diff -r -- "$results/wasm" "$results/wasm-again"
}

wasm_runs_vectors() {
    node --experimental-default-type=module "$checkout/deploy/wasm/vectors.mjs" \
        "$checkout/Tests/Core/TextMergeTests/vectors.json" \
        "$results"/wasm/textmerge-????????????????.wasm "$results/wasm/textmerge-wasi.wasm"
}

targeting_runs_cases() {
    "$checkout/deploy/wasm/targeting/build" "$results/targeting.wasm"
    node "$checkout/deploy/wasm/targeting/cases.mjs" "$results/targeting.wasm" \
        "$checkout"/Tests/Core/TargetingTests/flagd-{2,3}.jsonl
}
