import { carry, paragraphs, pieces } from "../../../Sources/Web/notes/history/blame.js";
import { equal, random } from "./checks.js";

/** @typedef {import("../../../Sources/Web/notes/history/blame.js").Span} Span */

Deno.test("what a version writes is its own, what it keeps is of those before", () => {
    let spans = carry([], ["one two"], 1);
    equal(spans, [{ length: 7, version: 1 }]);
    spans = carry(spans, [4, "and ", 3], 2);
    equal(spans, [
        { length: 4, version: 1 },
        { length: 4, version: 2 },
        { length: 3, version: 1 },
    ]);
    spans = carry(spans, [-4, 4], 3);
    equal(spans, [
        { length: 4, version: 2 },
        { length: 3, version: 1 },
    ]);
});

Deno.test("a paragraph was written when the latest of it was", () => {
    const text = "first\nof it\n\nsecond\n- item\n- other\n";
    const spans = carry(carry([], [text], 1), [6, -2, "is", text.length - 8], 2);
    equal(
        paragraphs("first\nis it\n\nsecond\n- item\n- other\n", spans).map(({ version }) => version),
        [2, 1, 1, 1],
    );
    equal(
        paragraphs(text, carry([], [text], 5)).map(({ from, to }) => text.slice(from, to)),
        ["first\nof it", "second", "- item", "- other"],
    );
    equal(paragraphs("", []), []);
});

Deno.test("each unit has the version that inserted it, whatever the deltas", () => {
    for (let seed = 1; seed <= 200; seed += 1) {
        const below = random(seed);
        /** @type {number[]} */
        let units = [];
        /** @type {Span[]} */
        let spans = [];
        for (let version = 1; version <= 8; version += 1) {
            /** @type {(number | string)[]} */
            const delta = [];
            /** @type {number[]} */
            const next = [];
            for (let at = 0; at < units.length; ) {
                const length = Math.min(units.length - at, 1 + below(4));
                if (below(3) === 0) delta.push(-length);
                else {
                    delta.push(length);
                    next.push(...units.slice(at, at + length));
                }
                at += length;
                if (below(2) === 0) {
                    delta.push("xy");
                    next.push(version, version);
                }
            }
            if (units.length === 0) {
                delta.push("abc");
                next.push(version, version, version);
            }
            units = next;
            spans = carry(spans, delta, version);
            equal(
                spans.flatMap(({ length, version: of }) => Array(length).fill(of)),
                units,
            );
        }
    }
});

Deno.test("the pieces of a difference make both texts", () => {
    const before = "one two three";
    const all = pieces(before, [4, -3, "2", 6]);
    const text = (/** @type {string} */ without) =>
        all
            .filter(({ kind }) => kind !== without)
            .map((each) => each.text)
            .join("");
    equal(text("added"), before);
    equal(text("removed"), "one 2 three");
    equal(pieces("same", []), [{ kind: "same", text: "same" }]);
});
