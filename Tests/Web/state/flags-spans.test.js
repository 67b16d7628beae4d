import assert from "node:assert/strict";
import { spansOf } from "../../../Sources/Web/console/state/flags-spans.js";

const now = Date.parse("2026-11-29T20:04:16.000Z");
const count = (
    /** @type {string} */ start,
    /** @type {string | null} */ variant,
    /** @type {number} */ evaluations,
) => ({
    start,
    variant,
    evaluations,
});

Deno.test("a week has spans of three hours, and the last one ends with the present hour", () => {
    const spans = spansOf(
        [
            count("2026-11-22T21:00:00.000Z", "on", 1),
            count("2026-11-29T18:00:00.000Z", "off", 2),
            count("2026-11-29T20:00:00.000Z", "on", 3),
            count("2026-11-29T20:00:00.000Z", null, 4),
            count("2026-11-29T19:00:00.000Z", "on", 5),
        ],
        "hours",
        now,
    );
    assert.equal(spans.length, 56);
    assert.deepEqual(
        spans.filter(({ counts }) => counts.length > 0),
        [
            { start: Date.parse("2026-11-22T21:00:00.000Z"), counts: [["on", 1]] },
            {
                start: Date.parse("2026-11-29T18:00:00.000Z"),
                counts: [
                    [null, 4],
                    ["off", 2],
                    ["on", 8],
                ],
            },
        ],
    );
});

Deno.test("a year has spans of seven days, and counts outside of the range are omitted", () => {
    const spans = spansOf(
        [
            count("2025-11-22T00:00:00.000Z", "on", 100),
            count("2025-11-24T00:00:00.000Z", "on", 1),
            count("2026-11-29T00:00:00.000Z", "on", 2),
            count("2026-11-30T00:00:00.000Z", "on", 100),
        ],
        "days",
        now,
    );
    assert.equal(spans.length, 53);
    assert.deepEqual(
        spans.flatMap(({ counts }, at) => counts.map(([, n]) => [at, n])),
        [
            [0, 1],
            [52, 2],
        ],
    );
    assert.ok(spansOf([], "days", now).every(({ counts }) => counts.length === 0));
});
