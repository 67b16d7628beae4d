import assert from "node:assert/strict";
import * as comparison from "../../../Sources/Web/console/state/comparison.js";

/** @param {Record<string, string>} values @param {Record<string, string>} [descriptions] */
const config = (values, descriptions = {}) =>
    new Map(Object.entries(values).map(([key, value]) => [key, { value, description: descriptions[key] ?? "" }]));

const source = config({ a: "1", b: "1.10", c: '"new"', e: "9007199254740993" });
const target = config({ a: "1", b: "1.1", d: "true", e: "9007199254740992" });

Deno.test("values differ when their digits do", () => {
    const { lines, same } = comparison.compare(source, target);
    assert.deepEqual(
        lines.map(({ key, kind }) => [key, kind]),
        [
            ["b", "changed"],
            ["c", "added"],
            ["d", "removed"],
            ["e", "changed"],
        ],
    );
    assert.equal(same, 1);
    assert.deepEqual(comparison.counts(lines), { added: 1, removed: 1, changed: 2 });
});

Deno.test("a description alone makes a line", () => {
    const { lines } = comparison.compare(config({ a: "1" }, { a: "New" }), config({ a: "1" }));
    assert.equal(comparison.promotion(lines), '{"a":{"value":1,"description":"New"}}');
});

Deno.test("the promotion has exactly what was chosen, digit for digit", () => {
    const { lines } = comparison.compare(source, target);
    const choice = comparison.choosing(
        new Map(),
        lines.filter(({ key }) => key !== "c"),
        true,
    );
    assert.equal(comparison.promotion(choice.values()), '{"b":{"value":1.10},"d":null,"e":{"value":9007199254740993}}');
    assert.equal(comparison.choosing(choice, lines, false).size, 0);
});

Deno.test("filters look at kinds, keys and both values", () => {
    const { lines } = comparison.compare(source, target);
    const keys = (/** @type {string} */ text, /** @type {comparison.Kind[]} */ ...kinds) =>
        comparison.filtered(lines, new Set(kinds), text).map(({ key }) => key);
    assert.deepEqual(keys("", "added", "removed"), ["c", "d"]);
    assert.deepEqual(keys("740992", "added", "removed", "changed"), ["e"]);
    assert.deepEqual(keys("NEW c", "added"), ["c"]);
});

Deno.test("a choice follows the target: what says something else is given up, what is equal is dropped", () => {
    const choice = comparison.choosing(new Map(), comparison.compare(source, target).lines, true);
    const later = config({ a: "1", b: "2", c: '"new"', d: "true", e: "9007199254740992" });
    const rebased = comparison.rebase(choice, comparison.compare(source, later).lines);
    assert.deepEqual([...rebased.choice.keys()], ["d", "e"]);
    assert.deepEqual(rebased.moved, ["b"]);
    assert.deepEqual(rebased.settled, ["c"]);
});
