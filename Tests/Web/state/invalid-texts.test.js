import assert from "node:assert/strict";
import { DraftStore } from "../../../Sources/Web/console/drafts.js";
import { InvalidTexts } from "../../../Sources/Web/console/invalid-texts.js";
import { isBlank } from "../../../Sources/Web/console/state/flags-rules.js";
import { faultOf } from "../../../Sources/Web/console/state/kinds.js";

/** @returns {Storage} */
function storage() {
    /** @type {Map<string, string>} */
    const items = new Map();
    return /** @type {any} */ ({
        getItem: (/** @type {string} */ name) => items.get(name) ?? null,
        setItem: (/** @type {string} */ name, /** @type {string} */ text) => items.set(name, text),
        removeItem: (/** @type {string} */ name) => items.delete(name),
    });
}

Deno.test("invalid texts are stored by environment, entry and field, and follow a renamed field", () => {
    const place = storage();
    const texts = new InvalidTexts("staging", place);
    assert.equal(texts.set("constructor", "value", { kind: "number", text: "12a" }), true);
    assert.equal(texts.set("constructor", "value", { kind: "number", text: "12ab" }), false);
    texts.set("flag", "/if/0 weight", { text: "-5" });
    texts.set("flag", "/if/2 weight", { text: "many" });
    texts.rename("flag", (field) => (field === "/if/2 weight" ? "/if/0 weight" : null));
    const again = new InvalidTexts("staging", place);
    assert.equal(again.size, 2);
    assert.deepEqual(again.get("constructor", "value"), { kind: "number", text: "12ab" });
    assert.deepEqual(again.get("flag", "/if/0 weight"), { text: "many" });
    assert.equal(new InvalidTexts("production", place).size, 0);
    assert.equal(again.set("flag", "/if/0 weight", null), true);
    again.clear("constructor");
    assert.equal(place.getItem("almanac.invalid.staging"), null);
});

Deno.test("a change of several entries keeps the invalid texts of those that stay", () => {
    const draft = new DraftStore("staging", storage(), storage());
    for (const key of ["flag", "gone"]) draft.invalid.set(key, "/weight", { text: "many" });
    const content = { value: "1", description: "" };
    draft.editAll([
        ["flag", content, { value: "2", description: "" }],
        ["gone", content, null],
    ]);
    draft.close();
    assert.deepEqual([...draft.invalid.all.keys()], ["flag"]);
});

Deno.test("invalid texts are fresh until the user leaves one of their fields", () => {
    const texts = new InvalidTexts("staging", storage());
    assert.equal(texts.isFresh, true);
    texts.set("flag", "/if/0 value", { text: "", isFresh: true });
    texts.set("flag", "/if/2 value", { text: "", isFresh: true });
    assert.equal(texts.isFresh, true);
    assert.equal(texts.set("flag", "/if/2 value", { text: "", isFresh: true }), false);
    assert.equal(texts.set("flag", "/if/2 value", { text: "", isFresh: false }), true);
    assert.equal(texts.isFresh, false);
    texts.set("flag", "/if/2 value", null);
    assert.equal(texts.isFresh, true);
    texts.set("limits.retries", "value", { text: "12a" });
    assert.equal(texts.isFresh, false);
});

Deno.test("unreadable invalid texts are dropped", () => {
    for (const text of ["{", "null", '{"a": 1}', '[["a"]]', "[1]"]) {
        const place = storage();
        place.setItem("almanac.invalid.staging", text);
        assert.equal(new InvalidTexts("staging", place).size, 0, text);
    }
});

Deno.test("a number is valid if a double can hold its size", () => {
    for (const text of ["12a", "", "0x1", "1.", "NaN"])
        assert.equal(faultOf("number", text), "value.number.fault", text);
    for (const text of ["1e999", "-1e400"]) assert.equal(faultOf("number", text), "value.number.range", text);
    for (const text of ["12.5", "1e308", "12345678901234567890.50"]) assert.equal(faultOf("number", text), null, text);
});

Deno.test("a comparison with nothing is blank, except with a quoted empty text", () => {
    const blank = /** @type {const} */ ([
        ["==", " "],
        ["in", ""],
        ["in", "[]"],
        ["in", ", ,"],
        ["starts_with", '""'],
        ["sem_ver >=", ""],
    ]);
    for (const [operator, text] of blank) assert.equal(isBlank(operator, text), true, `${operator} ${text}`);
    for (const [operator, text] of [
        ["==", '""'],
        ["in", '""'],
        ["==", "0"],
        ["ends_with", "x"],
    ])
        assert.equal(isBlank(operator, text), false, `${operator} ${text}`);
});
