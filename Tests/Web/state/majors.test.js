import assert from "node:assert/strict";
import { rowsLostWith, sideBySide, usageOf } from "../../../Sources/Web/console/state/majors.js";

const rows = sideBySide([
    new Map([
        ["limits", "{}"],
        ["theme", '"dark"'],
        ["new", "true"],
    ]),
    new Map([
        ["limits", '{"retries":3}'],
        ["theme", '"dark"'],
    ]),
    new Map([
        ["limits", '{"retries":3}'],
        ["theme", '"dark"'],
        ["old", "1"],
    ]),
]);

Deno.test("each key has what every major sees, and whether that differs", () => {
    assert.deepEqual(
        rows.map(({ key, differs }) => [key, differs]),
        [
            ["limits", true],
            ["new", true],
            ["old", true],
            ["theme", false],
        ],
    );
    assert.deepEqual(rows[2].values, [undefined, undefined, "1"]);
});

Deno.test("only what no other major sees goes with one", () => {
    assert.deepEqual(
        rowsLostWith(rows, 2).map(({ key }) => key),
        ["old"],
    );
    assert.deepEqual(rowsLostWith(rows, 1), []);
});

Deno.test("a major is in use while clients ask for it", () => {
    const now = Date.parse("2026-03-01T00:00:00Z");
    const major = {
        major: 1,
        version: "1.0.0",
        current: false,
        keeps: [],
        lacks: [],
        last_asked_at: null,
        retired_at: null,
    };
    assert.equal(usageOf(major, now), "never");
    assert.equal(usageOf({ ...major, current: true }, now), "current");
    assert.equal(usageOf({ ...major, last_asked_at: "2026-02-28T00:00:00Z" }, now), "asked");
    assert.equal(usageOf({ ...major, last_asked_at: "2026-01-01T00:00:00Z" }, now), "quiet");
    assert.equal(usageOf({ ...major, retired_at: "2026-01-01T00:00:00Z" }, now), "retired");
});
