import assert from "node:assert/strict";
import { readTags } from "../../../Sources/Web/console/state/flags.js";
import * as changes from "../../../Sources/Web/console/state/flags-edits.js";
import { readTree } from "../../../Sources/Web/console/state/flags-tree.js";

/** Returns a flag's text with this metadata. @param {string} metadata @param {string} [state] */
const flag = (metadata, state = "ENABLED") => `{"state": "${state}", "variants": {}, "metadata": ${metadata}}`;

Deno.test("tags are separated by commas, tabs and line breaks", () => {
    assert.deepEqual(readTags("ios\tandroid\r\n web beta ,ios,,\n"), ["ios", "android", "web beta"]);
    assert.deepEqual(readTags("שלום, عربي"), ["שלום", "عربي"]);
    assert.deepEqual(readTags(" \t,\n"), []);
});

Deno.test("tags are added and removed, and the other members of the metadata keep their texts", () => {
    const odd = '"ratio": 1.50, "big": 9007199254740993, "__proto__": "x", "": [1e2]';
    const text = flag(`{${odd}, "tags": "shop"}`);
    const add = changes.tagging(["ios", "shop"]);
    assert.equal(changes.changedText(text, add), flag(`{${odd}, "tags": "shop, ios"}`));
    assert.equal(changes.changedText(text, changes.tagging([], ["shop"])), flag(`{${odd}}`));
    assert.equal(changes.changedText('{"variants": {}}', add), '{"variants": {}, "metadata": {"tags": "ios, shop"}}');
});

Deno.test("a text that a change does not affect stays as it is written", () => {
    const text = ' {"state":"ENABLED","metadata":{"tags":"b,a","owner":"Mara"}} ';
    for (const change of [
        changes.tagging(["a", "b"]),
        changes.tagging([], ["c"]),
        changes.switching(true),
        changes.describing("owner", "Mara"),
        changes.describing("archived", false),
    ])
        assert.equal(changes.changedText(text, change), text);
});

Deno.test("an owner and the archive are set and removed, and a flag is turned off", () => {
    const plain = '{"state": "ENABLED", "variants": {}}';
    const owned = flag('{"owner": "Mara"}');
    assert.equal(changes.changedText(owned, changes.describing("owner", "Ida")), flag('{"owner": "Ida"}'));
    assert.equal(changes.changedText(owned, changes.describing("owner", "")), plain);
    assert.equal(changes.changedText(plain, changes.describing("archived", true)), flag('{"archived": true}'));
    assert.equal(changes.changedText(flag('{"archived": true}'), changes.describing("archived", false)), plain);
    assert.equal(changes.changedText(owned, changes.switching(false)), flag('{"owner": "Mara"}', "DISABLED"));
});

Deno.test("a member whose form the page does not know is not changed", () => {
    for (const form of ["7", "null", "true", '["ios"]', '{"a": 1}'])
        assert.equal(changes.changedText(flag(`{"tags": ${form}, "owner": ${form}}`), changes.tagging(["ios"])), null);
    assert.equal(changes.changedText(flag('{"owner": ["Mara"]}'), changes.describing("owner", "Ida")), null);
    assert.equal(changes.changedText(flag('{"archived": "yes"}'), changes.describing("archived", false)), null);
    for (const text of ["[]", '"on"', flag("[1]")])
        assert.equal(changes.changedText(text, changes.switching(false)), null);
});

Deno.test("missing audiences are named, but not the references in the value of a variant", () => {
    const values = [
        '{"variants": {"a": {"$ref": "payload"}}, "targeting": {"if": [{"or": [{"$ref": "beta"}, {"$ref": "staff"}]}, "a"]}}',
        '{"targeting": {"$ref": "beta"}}',
        '{"variants": {}}',
    ];
    const set = { value: '{"$evaluators": {"staff": true}}', description: "" };
    assert.deepEqual(changes.missingAudiences(values, set), ["beta"]);
    assert.deepEqual(changes.missingAudiences(values, null), ["beta", "staff"]);
});

Deno.test("the file of some flags has their definitions as they are written", () => {
    const audiences = /** @type {any} */ (readTree('{"beta": {"in": [1.0, []]}}'));
    const text = changes.flagFile(
        [
            ["a", '{"n":1.50}'],
            ["b", "{}"],
        ],
        audiences,
    );
    assert.ok(text.includes('"a": {"n":1.50},'));
    assert.deepEqual(JSON.parse(text), { flags: { a: { n: 1.5 }, b: {} }, $evaluators: { beta: { in: [1, []] } } });
    assert.deepEqual(JSON.parse(changes.flagFile([], new Map())), { flags: {}, $evaluators: {} });
});
