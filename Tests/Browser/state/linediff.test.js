import assert from "node:assert/strict";
import { diffLines, withoutDistant } from "../../../deploy/www/console/state/linediff.js";

/** @param {ReturnType<typeof diffLines>} lines @param {string} kind */
const side = (lines, kind) => lines.filter((line) => line.kind === "same" || line.kind === kind).map(({ text }) => text);

Deno.test("both texts can be read out of their diff", () => {
    let seed = 7;
    const random = (/** @type {number} */ below) => (seed = (seed * 48271) % 2147483647) % below;
    for (let round = 0; round < 500; round++) {
        const text = () => Array.from({ length: random(12) }, () => "abc"[random(3)]).join("\n");
        const [before, after] = [text(), text()];
        const lines = diffLines(before, after);
        assert.equal(side(lines, "removed").join("\n"), before);
        assert.equal(side(lines, "added").join("\n"), after);
    }
});

Deno.test("the diff is the shortest", () => {
    const lines = diffLines("a\nb\nc\na\nb\nb\na", "c\nb\na\nb\na\nc");
    assert.equal(lines.filter(({ kind }) => kind !== "same").length, 5);
});

Deno.test("what differs inside a replaced line is told, and never splits a character", () => {
    const [old, now] = diffLines('"retries": 3,', '"retries": 5,');
    assert.deepEqual([old.from, old.to, now.from, now.to], [11, 12, 11, 12]);
    const [smile, grin] = diffLines("a😀b", "a😁b");
    assert.equal(smile.text.slice(smile.from, smile.to), "😀");
    assert.equal(grin.text.slice(grin.from, grin.to), "😁");
});

Deno.test("equal lines far from a difference are left out and counted", () => {
    const text = Array.from({ length: 100 }, (_, at) => `line ${at}`);
    const lines = withoutDistant(diffLines(text.join("\n"), text.with(50, "other").join("\n")), 2);
    assert.deepEqual(lines.map(({ kind }) => kind), ["skipped", "same", "same", "removed", "added", "same", "same", "skipped"]);
    assert.deepEqual([lines[0], lines[7]], [{ kind: "skipped", count: 48 }, { kind: "skipped", count: 47 }]);
});

Deno.test("texts without a common line are replaced whole, however long", () => {
    const text = (/** @type {string} */ name) => Array.from({ length: 3000 }, (_, at) => `${name} ${at}`).join("\n");
    const lines = diffLines(text("old"), text("new"));
    assert.equal(lines.filter(({ kind }) => kind === "removed").length, 3000);
    assert.equal(lines.filter(({ kind }) => kind === "added").length, 3000);
});
