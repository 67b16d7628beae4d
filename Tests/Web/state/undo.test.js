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
        { key: "removed", before: "1.50" },
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

Deno.test("the undo puts back what was there, and the description only of what comes back", () => {
    const chosen = lines.filter(({ kind }) => kind === "plain");
    const descriptions = new Map([
        ["removed", 'Said "so"'],
        ["kept", "unused"],
    ]);
    assert.equal(
        undoBody(chosen, descriptions),
        '{"kept":{"value":1},"added":null,"removed":{"value":1.50,"description":"Said \\"so\\""}}',
    );
});

Deno.test("a key that was removed and made anew since is one that was changed", () => {
    const [line] = undoLines([{ key: "kept", before: "1" }], current);
    assert.equal(line.kind, "changed");
});
