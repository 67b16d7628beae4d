import { ChangeSet, Text } from "codemirror";
import { finderOf, placesIn, replacements } from "../../../Sources/Web/notes/editor/matching.js";
import { equal } from "./checks.js";

/**
 * @param {string} line
 * @param {string} words
 * @param {{ isExact?: boolean, isWhole?: boolean }} [options]
 */
const found = (line, words, options = {}) => finderOf(words, options)(line).map(([from, to]) => line.slice(from, to));

Deno.test("a search in a note ignores case and accents unless they count", () => {
    equal(found("Café, cafe, CAFE\u0301s", "cafe"), ["Café", "cafe", "CAFE\u0301"]);
    equal(found("Café, cafe, CAFE\u0301s", "Café", { isExact: true }), ["Café"]);
    equal(found("Straße", "STRASSE"), ["Straße"]);
    equal(found("aaaa", "aa", { isExact: true }), ["aa", "aa"]);
    equal(found("any", ""), []);
    equal(found("any", "", { isExact: true }), []);
});

Deno.test("whole words end at blanks and marks, and anywhere in scripts without spaces", () => {
    const whole = { isWhole: true };
    equal(found("cat cats, concat **cat** _cat_ cat's 2cat", "cat", whole), ["cat", "cat", "cat", "cat"]);
    equal(found("Öl Möl öle", "öl", whole), ["Öl"]);
    equal(found("東京都へ", "京都", whole), ["京都"]);
    equal(found("cat concat Cat", "Cat", { isWhole: true, isExact: true }), ["Cat"]);
    equal(found("𝒜a a", "a", { isWhole: true, isExact: true }), ["a"]);
    equal(found("a, b", ", ", whole), [", "]);
});

Deno.test("matches in many lines have the offsets of the note", () => {
    equal(placesIn(Text.of(["one two", "", "two"]), finderOf("two", {})), [
        [4, 7],
        [9, 12],
    ]);
});

Deno.test("all matches in a long line are replaced by one change, and others one by one", () => {
    const doc = Text.of(["a b a", "a, ".repeat(20_000)]);
    const changes = replacements(doc, placesIn(doc, finderOf("a", {})), "xy");
    equal(changes.length, 3);
    equal(ChangeSet.of(changes, doc.length).apply(doc).toString(), `xy b xy\n${"xy, ".repeat(20_000)}`);
});
