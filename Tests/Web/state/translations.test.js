import assert from "node:assert/strict";
import { commandReason, systemOf, systems } from "../../../Sources/Web/console/state/source-systems.js";
import {
    byKey,
    countsOf,
    editsOf,
    importBody,
    linesOf,
    verdicts,
} from "../../../Sources/Web/console/state/translations.js";

/** @param {string} name */
const recording = (name) =>
    Deno.readTextFileSync(new URL(`../../Core/ImportingTests/Recordings/${name}`, import.meta.url));

Deno.test("a system is recognized by its file", () => {
    for (const [file, system] of [
        ['{"version": 1, "features": [], "featureStrategies": []}', "unleash"],
        ['{"version": 2, "features": [{"name": "a", "strategies": []}]}', "unleash"],
        ['{"segments": [{"id": 1, "constraints": []}]}', "unleash"],
        ['{"items": [{"key": "a", "variations": [], "environments": {}}]}', "launchdarkly"],
        ['{"items": [{"key": "a", "included": [], "rules": []}]}', "launchdarkly"],
        ['{"flags": {"a": {"on": true}}, "segments": {}}', "launchdarkly"],
        ['{"parameters": {"a": {"defaultValue": {"value": "1"}}}, "conditions": []}', "firebase"],
        ['{"a": {"variations": {"on": true}, "defaultRule": {"variation": "on"}}}', "goff"],
        ['{"namespace": "default", "flags": [{"key": "a", "enabled": true}]}', "flipt"],
        ['{"p": {"u": "", "r": 0, "s": ""}, "f": {"a": {"t": 0, "v": {"b": true}}}}', "configcat"],
        ['{"status": 200, "features": {"a": {"defaultValue": true}}}', "growthbook"],
        ['{"api_key": "k", "project": {"segments": []}, "feature_states": []}', "flagsmith"],
        ['{"app.theme": "dark", "limits": {"retries": 3}}', ""],
        ['{"features": true, "items": 3, "p": 1, "f": 2, "flags": {"a": 1}}', ""],
        ['[{"key": "a", "value": 1}]', ""],
        ["flags:\n  - key: a", ""],
        ['{"features": [', ""],
        ["", ""],
    ])
        assert.equal(systemOf(file), system, file);
    assert.equal(systemOf(recording("launchdarkly/flags.json")), "launchdarkly");
    assert.equal(systemOf(recording("launchdarkly/segments.json")), "launchdarkly");
    assert.equal(Object.keys(systems).length, 8);
});

Deno.test("YAML and large files are for the command line", () => {
    const file = (/** @type {string} */ name, /** @type {string} */ text) => [{ name, text }];
    assert.equal(commandReason(file("flags.json", "{}")), "");
    assert.equal(commandReason(file("features.yaml", "flags: []")), "source.yaml");
    assert.equal(commandReason(file("features.YML", "flags: []")), "source.yaml");
    assert.equal(commandReason(file("features.yaml", ' {"flags": []}')), "");
    // Four bytes each in UTF-8, and two units in UTF-16.
    assert.equal(commandReason(file("flags.json", "😀".repeat(1 << 20))), "source.large");
    assert.equal(commandReason(file("flags.json", "x".repeat(4_190_000))), "");
});

Deno.test("files are sent as written, with the sides that win", () => {
    const body = importBody([{ name: 'a"b.json', text: '{"id": 9007199254740993}' }], new Map([["new-ui", "mine"]]));
    assert.equal(body, '{"files":[{"name":"a\\"b.json","content":{"id": 9007199254740993}}],"take":{"new-ui":"mine"}}');
    assert.equal(importBody([], new Map()), '{"files":[],"take":{}}');
});

Deno.test("lines that need attention come first, and each verdict is counted", () => {
    /** @param {string} source @param {any} verdict @returns {any} */
    const line = (source, verdict) => ({ source, key: source, verdict, pointer: "" });
    const report = [line("a", "exact"), line("b", "differs"), line("c", "cannot"), line("d", "exact")];
    const sources = (/** @type {Set<any>} */ wanted) => linesOf(report, wanted).map(({ source }) => source);
    assert.deepEqual(sources(new Set(verdicts)), ["c", "b", "a", "d"]);
    assert.deepEqual(sources(new Set(["exact"])), ["a", "d"]);
    assert.deepEqual(countsOf(report), { exact: 2, differs: 1, cannot: 1 });
});

Deno.test("changes become edits with the present content, except those of keys that the user may not change", () => {
    const present = { value: '{"state": "DISABLED"}', description: "Old", kind: "flag" };
    const config = new Map([["old", present]]);
    const { edits, closed } = editsOf(
        [
            { key: "old", kind: "flag", value: "{}" },
            { key: "new", kind: "flag", value: "{}", description: "New" },
            { key: "plain", kind: "value", value: "1" },
            { key: "shut", kind: "flag", value: "{}" },
        ],
        config,
        (key) => key !== "shut",
    );
    assert.deepEqual(edits, [
        ["old", present, { value: "{}", description: "Old", kind: "flag" }],
        ["new", null, { value: "{}", description: "New", kind: "flag" }],
        ["plain", null, { value: "1", description: "" }],
    ]);
    assert.deepEqual(closed, ["shut"]);
});

Deno.test("conflicts are grouped by key", () => {
    const conflict = (/** @type {string} */ key, /** @type {string} */ part) => ({
        ...{ key, part, source: key },
        ...{ before: "1", after: "2" },
    });
    const groups = byKey([conflict("a", "state"), conflict("b", ""), conflict("a", "targeting")]);
    assert.deepEqual(
        [...groups].map(([key, parts]) => [key, parts.map(({ part }) => part)]),
        [
            ["a", ["state", "targeting"]],
            ["b", [""]],
        ],
    );
});
