import assert from "node:assert/strict";
import { find, moved, searchGroup } from "../../../Sources/Web/console/state/palette.js";

const item = (/** @type {string} */ section, /** @type {string} */ label, /** @type {string} */ words = "") => ({
    section,
    label,
    words,
    run() {},
});
const shelves = [
    searchGroup([item("Screens", "Releases", "history"), item("Screens", "Health")], 4),
    searchGroup([item("Keys", "app.release.notes"), item("Keys", "app.theme"), item("Keys", "health")], 0),
];
const labels = (/** @type {string} */ query, limit = 10) => find(shelves, query, limit).map(({ label }) => label);

Deno.test("sections stand together, the one with the best hit first", () => {
    assert.deepEqual(labels("release"), ["Releases", "app.release.notes"]);
    assert.deepEqual(
        labels("app"),
        ["app.release.notes", "app.theme"].sort((one, other) => one.length - other.length),
    );
});

Deno.test("words that are not shown are found", () => {
    assert.deepEqual(labels("history"), ["Releases"]);
});

Deno.test("nothing typed shows the first shelf first, and never more than asked for", () => {
    assert.deepEqual(labels("", 3), ["Releases", "Health", "app.release.notes"]);
});

Deno.test("the selection goes around", () => {
    assert.deepEqual([moved(0, -1, 3), moved(2, 1, 3), moved(-1, 1, 3), moved(0, 1, 0)], [2, 0, 0, -1]);
});
