import { across, markAt } from "../../../Sources/Web/notes/editor/reading-place.js";
import { equal } from "./checks.js";

/** @type {import("../../../Sources/Web/notes/editor/reading-place.js").Mark[]} */
const marks = [
    [0, 0],
    [10, 40],
    [10, 40],
    [30, 100],
    [50, 300],
];

Deno.test("a place between two blocks is interpolated, in both directions", () => {
    for (const [offset, top] of [...marks, [5, 20], [20, 70], [40, 200]]) {
        equal(across(marks, 0, offset), top);
        equal(across(marks, 1, top), offset);
    }
});

Deno.test("a place beyond the text is its end, and a text without blocks has one place", () => {
    equal(across(marks, 0, 70), 300);
    equal(across(marks, 1, 1000), 50);
    equal(across([[0, 0]], 1, 20), 0);
    equal(markAt([], 1, 20).mark, [0, 0]);
    equal(markAt(marks, 1, 99).mark, [10, 40]);
});
