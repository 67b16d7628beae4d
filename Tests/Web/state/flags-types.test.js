import assert from "node:assert/strict";
import * as flags from "../../../Sources/Web/console/state/flags.js";
import { readTree, writeTree } from "../../../Sources/Web/console/state/flags-tree.js";
import * as types from "../../../Sources/Web/console/state/flags-types.js";

/** @param {string} text @returns {any} */
const tree = (text) => readTree(text);

Deno.test("the type of a flag is the type of all its variants", () => {
    for (const [variants, type] of /** @type {[string, string | null][]} */ ([
        ["{}", "boolean"],
        ['{"a": "1"}', "string"],
        ['{"a": 1, "b": 2.50}', "number"],
        ['{"a": {}, "b": [1]}', "object"],
        ['{"a": 1, "b": "1"}', null],
        ['{"a": null}', null],
    ]))
        assert.equal(flags.commonType(tree(variants)), type, variants);
});

Deno.test("a new flag gets the variants of its type, and the last one is the default", () => {
    /** @param {string} text @param {types.FlagType[]} steps */
    const turned = (text, ...steps) => writeTree(steps.reduce(types.withType, tree(text)));
    const text = '{"state": "ENABLED", "variants": {"new": "new", "old": "old"}, "defaultVariant": "old"}';
    assert.equal(turned(flags.blank, "string"), text);
    assert.equal(turned(flags.blank, "string", "number", "object", "boolean"), flags.blank);
});

Deno.test("variants that somebody has changed, or a rule names, are converted", () => {
    /** @param {string} variants @param {types.FlagType} type */
    const turned = (variants, type, more = "") => {
        const definition = types.withType(tree(`{"variants": ${variants}, "defaultVariant": "on"${more}}`), type);
        assert.equal(definition.get("defaultVariant"), "on");
        return writeTree(definition.get("variants"));
    };
    assert.equal(turned('{"on": true, "none": false}', "string"), '{"on": "true", "none": "false"}');
    assert.equal(turned('{"on": "1.10", "off": "many"}', "number"), '{"on": 1.10, "off": 0}');
    assert.equal(turned('{"on": "yes", "off": ""}', "boolean"), '{"on": true, "off": false}');
    assert.equal(turned('{"on": "[1]", "off": "x", "old": "7"}', "object"), '{"on": [1], "off": {}, "old": {}}');
    const rule = ', "targeting": {"if": [true, "on"]}';
    assert.equal(turned('{"on": true, "off": false}', "number", rule), '{"on": 1, "off": 0}');
});

Deno.test("a type that is changed back restores the variants, unless somebody has edited them since", () => {
    const text =
        '{"state": "ENABLED", "variants": {"a": {"x": 1.10}, "b": {}}, "defaultVariant": "a", "targeting": {}}';
    /** @param {string} text @param {types.FlagType[]} steps */
    const changed = (text, ...steps) => {
        /** @type {types.Origin | undefined} */
        let last;
        for (const step of steps) last = types.turned(tree(last ? writeTree(last.next) : text), step, last);
        return last;
    };
    for (const steps of /** @type {types.FlagType[][]} */ ([["boolean"], ["number", "string"], ["string", "boolean"]]))
        assert.equal(writeTree(changed(text, ...steps, "object")?.next ?? null), text);
    const last = changed(text, "number");
    const edited = tree('{"variants": {"a": 7, "b": 0}, "defaultVariant": "b"}');
    const { next } = types.turned(edited, "object", last);
    assert.equal(writeTree(next), '{"variants": {"a": {}, "b": {}}, "defaultVariant": "b"}');
});

Deno.test("a typed value belongs to the type, and is read as it is shown", () => {
    assert.equal(types.valueFault("number", " 1.10 "), null);
    for (const text of ["", "many", '"1"', "1,5"])
        assert.equal(types.valueFault("number", text), "value.number.fault", text);
    assert.equal(types.valueFault("number", "1e999"), "value.number.range");
    for (const text of ["42", "null", '"{}"']) assert.equal(types.valueFault("object", text), "flag.json.fault", text);
    for (const text of ["{}", " [1]", "{"]) assert.equal(types.valueFault("object", text), null, text);
    for (const text of ["42", "true", "null", "", "a, b", '"', '"x"', " x", "x\ny", "{}", "größer", "<b>", "\u202ea"])
        assert.equal(types.typedValue("string", types.typedText("string", text)), text, text);
    assert.equal(types.typedText("string", 'say "yes"'), 'say "yes"');
    assert.equal(writeTree(types.typedValue("number", "9007199254740993")), "9007199254740993");
});

Deno.test("flags are found by owner, kind and tag, at the start of a word", () => {
    /** @param {string} query @param {string} metadata */
    const finds = (query, metadata) =>
        flags.fits(
            /** @type {any} */ ({
                key: "checkout.express",
                entry: { description: "Fast lane", full: true, text: `{"metadata": ${metadata}}` },
            }),
            undefined,
            flags.wordsOf(query),
            "all",
            0,
        );
    const metadata = '{"owner": "Anna Lee", "kind": "release", "tags": "iOS,mobile app , ", "rank": 7}';
    for (const query of [
        "owner:anna",
        "owner:lee",
        'OWNER:"Anna Lee"',
        "kind:rel tag:ios",
        "tag:app",
        'tag:"mobile app" express',
        "owner: fast",
        '"fast lane"',
        "",
    ])
        assert.equal(finds(query, metadata), true, query);
    for (const query of ["owner:nna", "kind:experiment", "tag:os", "tag:ios other", "rank:7", "owner:anna tag:anna"])
        assert.equal(finds(query, metadata), false, query);
    assert.equal(finds("owner:", '{"owner": 7}'), false);
    assert.deepEqual(flags.tagsOf(tree(`{"metadata": ${metadata}}`)), ["iOS", "mobile app"]);
    assert.deepEqual(flags.tagsOf(tree('{"metadata": {"tags": ["a"]}}')), []);
});
