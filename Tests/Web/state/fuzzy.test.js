import assert from "node:assert/strict";
import { marked, prepare, search } from "../../../Sources/Web/console/state/fuzzy.js";

const keys = [
    "app.background.color",
    "app.banner.text",
    "app.theme",
    "checkout.limits.retries",
    "ab_test.theme.colour",
];
const found = (/** @type {string} */ query) => search(prepare(keys), query, 10).map(({ index }) => keys[index]);

Deno.test("an exact text comes first, then one in which a word begins so", () => {
    assert.deepEqual(found("app.theme")[0], "app.theme");
    assert.deepEqual(found("theme")[0], "app.theme");
    assert.deepEqual(found("retries"), ["checkout.limits.retries"]);
});

Deno.test("characters may be apart, but stay in order", () => {
    assert.deepEqual(found("abc")[0], "app.background.color");
    assert.deepEqual(found("atc"), ["ab_test.theme.colour"]);
    assert.deepEqual(found("clr"), ["checkout.limits.retries", "app.background.color", "ab_test.theme.colour"]);
    assert.deepEqual(found("zz"), []);
});

Deno.test("every word must be there, in any order and case", () => {
    assert.deepEqual(found("TEXT app"), ["app.banner.text"]);
    assert.deepEqual(found("app retries"), []);
});

Deno.test("no query gives the first texts as they are", () => {
    assert.deepEqual(
        search(prepare(keys), "  ", 2).map(({ index }) => index),
        [0, 1],
    );
});

Deno.test("marks are alternately not found and found, and join to the text", () => {
    assert.deepEqual(marked("app.theme", "theme"), ["app.", "theme"]);
    assert.deepEqual(marked("app.theme", "at"), ["", "a", "pp.", "t", "heme"]);
    for (const query of ["", "e", "the me", "nothing"]) assert.equal(marked("app.theme", query).join(""), "app.theme");
});

Deno.test("every hit has each word's characters in order", () => {
    const texts = Array.from({ length: 500 }, (_, at) => `k${(at * 7919) % 1009}.section_${at % 13}.name-${at % 7}`);
    const index = prepare(texts);
    for (const query of ["k1", "sec3", "n6", "k section_1", "1-3"]) {
        const hits = new Set(search(index, query, 500).map((hit) => hit.index));
        texts.forEach((text, at) => {
            const fits = query
                .split(" ")
                .every((word) => new RegExp([...word].map((c) => `[${c}]`).join(".*")).test(text));
            assert.equal(hits.has(at), fits, `${query} in ${text}`);
        });
    }
});
