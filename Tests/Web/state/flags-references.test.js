import assert from "node:assert/strict";
import {
    audiencesOf,
    isIDList,
    mapReferences,
    readIDs,
    referencesIn,
} from "../../../Sources/Web/console/state/flags-references.js";
import { readTree, writeTree } from "../../../Sources/Web/console/state/flags-tree.js";

Deno.test("pasted ids are separated by lines, commas, tabs and spaces, without duplicates", () => {
    assert.deepEqual(readIDs(" a\r\nb,c\td  a\n\n,,<b>x</b>\u2028שלום\n"), ["a", "b", "c", "d", "<b>x</b>", "שלום"]);
    assert.deepEqual(readIDs(" \n,\t"), []);
    const many = Array.from({ length: 10_000 }, (_, at) => `user-${at}`);
    assert.deepEqual(readIDs([...many, ...many].join("\n")), many);
    assert.ok(isIDList(many));
    for (const list of [null, "a", ["a b"], ["a,b"], ["a", "a"], [""], [1], ["a", null]])
        assert.equal(isIDList(/** @type {any} */ (list)), false, JSON.stringify(list));
});

Deno.test("references are found and renamed at every depth, and all other parts stay as they are", () => {
    const text =
        '{"if": [{"and": [{"$ref": "a"}, {"!": {"$ref": ["a"]}}, {"==": [{"var": "a"}, "a"]}]}, 1.50, ' +
        '{"$ref": "b"}, {"$ref": ["a", "b"]}, {"$ref": "a", "x": 1}, {"$ref": {"var": "a"}}]}';
    const tree = readTree(text);
    assert.deepEqual([...referencesIn(tree)], ["a", "b"]);
    assert.equal(
        writeTree(mapReferences(tree, (name) => (name === "a" ? "c" : name))),
        text.replace('{"$ref": "a"}', '{"$ref": "c"}').replace('{"$ref": ["a"]}', '{"$ref": "c"}'),
    );
    assert.equal(writeTree(mapReferences(tree, (name) => name)), text);
});

Deno.test("a set without shared rules has no audiences", () => {
    const of = (/** @type {string} */ value) => audiencesOf({ value, description: "", kind: "flag-set" }).size;
    for (const value of ["{}", "[]", "null", '{"$evaluators": []}', '{"$evaluators": {}}']) assert.equal(of(value), 0);
    assert.equal(audiencesOf(null).size, 0);
    assert.equal(of('{"$evaluators": {"a": true, "b": null}}'), 2);
});
