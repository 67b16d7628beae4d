import { difference, lineDifference, wordDifference } from "../../../Sources/Web/console/state/diff.js";
import { equal, random } from "./checks.js";

/** @param {import("../../../Sources/Web/console/state/diff.js").Piece[]} pieces @param {string} kind */
const side = (pieces, kind) =>
    pieces.filter((piece) => piece.kind === "same" || piece.kind === kind).map((piece) => piece.text);

Deno.test("a difference has both texts in it, whatever they are", () => {
    const next = random(16);
    for (let run = 0; run < 3000; run += 1) {
        const make = () => Array.from({ length: next(12) }, () => "abcd"[next(4)]);
        const [before, after] = [make(), make()];
        const pieces = difference(before, after);
        equal(side(pieces, "removed"), before);
        equal(side(pieces, "added"), after);
    }
});

Deno.test("a difference is as short as one can be", () => {
    const pieces = difference([..."abcabba"], [..."cbabac"]);
    equal(pieces.filter((piece) => piece.kind !== "same").length, 5);
});

Deno.test("texts that have nothing in common are replaced in bounded time", () => {
    const before = Array.from({ length: 20_000 }, (_, line) => `a${line}`);
    const after = Array.from({ length: 20_000 }, (_, line) => `b${line}`);
    const pieces = difference(before, after);
    equal(pieces.length, 40_000);
});

Deno.test("words that differ are marked inside a replaced line", () => {
    equal(wordDifference("five more tries", "three more tries"), [
        { kind: "removed", text: "five" },
        { kind: "added", text: "three" },
        { kind: "same", text: " more tries" },
    ]);
});

Deno.test("lines far from a change are folded", () => {
    const lines = Array.from({ length: 30 }, (_, line) => `line ${line}`);
    const found = lineDifference(lines.join("\n"), lines.with(15, "another").join("\n"));
    equal(
        found.map((line) => `${line.kind} ${line.count}`),
        ["gap 13", "same 1", "same 1", "removed 1", "added 1", "same 1", "same 1", "gap 12"],
    );
});
