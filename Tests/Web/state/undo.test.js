import assert from "node:assert/strict";
import { isPossible, undoBody, undoLines } from "../../../Sources/Web/console/state/undo.js";

const current = new Map(
    Object.entries({ kept: "2", again: "3", back: "1", added: "1" }).map(([key, value]) => [key, { value }]),
);
const lines = undoLines(
    [
        { key: "kept", before: "1", after: "2" },
        { key: "again", before: "1", after: "2" },
        { key: "back", before: "1", after: "2" },
        { key: "added", after: "1" },
        { key: "removed", before: "1.50", description_before: 'Said "so"' },
        { key: "secret", purged: true },
    ],
    current,
);

Deno.test("undoing says what was changed again, is undone already, or is gone", () => {
    assert.deepEqual(
        lines.map(({ kind }) => kind),
        ["plain", "changed", "settled", "plain", "plain", "purged"],
    );
    assert.deepEqual(
        lines.filter(isPossible).map(({ key }) => key),
        ["kept", "again", "added", "removed"],
    );
});

Deno.test("the undo puts back values, and descriptions that the release changed or removed", () => {
    const chosen = lines.filter(({ kind }) => kind === "plain");
    assert.equal(
        undoBody(chosen),
        '{"kept":{"value":1},"added":null,"removed":{"value":1.50,"description":"Said \\"so\\""}}',
    );
});

Deno.test("a change of a description alone is undone, also to an empty one", () => {
    const texts = { description: "Tries of a payment", description_before: "" };
    const [line] = undoLines([{ key: "kept", before: "2", after: "2", ...texts }], current);
    assert.equal(line.kind, "plain");
    assert.equal(undoBody([line]), '{"kept":{"value":2,"description":""}}');
});

Deno.test("a key that was removed and made anew since is one that was changed", () => {
    const [line] = undoLines([{ key: "kept", before: "1" }], current);
    assert.equal(line.kind, "changed");
});
