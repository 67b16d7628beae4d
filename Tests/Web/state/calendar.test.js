import assert from "node:assert/strict";
import { byDay, daysUntil, differs } from "../../../Sources/Web/console/state/calendar.js";

/** @param {string} at */
const time = (at) => ({ kind: /** @type {const} */ ("time"), at, key: "checkout.express" });
const now = Date.parse("2026-12-01T23:30:00Z");

Deno.test("changes are grouped by the viewer's day, and those that have begun are today's", () => {
    const items = [
        "2026-11-20T09:00:00.000Z",
        "2026-12-01T23:45:00.000Z",
        "2026-12-02T06:00:00.000Z",
        "2026-12-02T23:00:00.000Z",
    ].map(time);
    const days = (/** @type {string} */ zone) => byDay(items, now, zone).map(([day, found]) => [day, found.length]);
    assert.deepEqual(days("UTC"), [
        ["2026-12-01", 2],
        ["2026-12-02", 2],
    ]);
    // In Berlin it is half past midnight of the second.
    assert.deepEqual(days("Europe/Berlin"), [
        ["2026-12-02", 3],
        ["2026-12-03", 1],
    ]);
    assert.deepEqual(byDay([], now, "UTC"), []);
});

Deno.test("days are counted in the viewer's zone", () => {
    assert.equal(daysUntil("2026-12-02", now, "UTC"), 1);
    assert.equal(daysUntil("2026-12-02", now, "Europe/Berlin"), 0);
    // A day with 25 hours lies between.
    assert.equal(daysUntil("2026-10-26", Date.parse("2026-10-24T22:30:00Z"), "Europe/Berlin"), 1);
});

Deno.test("two zones with the same clocks are no different times", () => {
    assert.equal(differs("2026-12-01T09:00:00Z", "Europe/Berlin", "Europe/Paris"), false);
    assert.equal(differs("2026-12-01T09:00:00Z", "Europe/Berlin", "America/New_York"), true);
});
