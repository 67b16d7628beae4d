import assert from "node:assert/strict";
import { checks, pollDelay, recorded, sparkline, worst } from "../../../Sources/Web/console/state/health.js";

const status = {
    version: "1.0.0",
    started_at: "",
    revision: 1,
    config_version: "1.0.0",
    lineage: "k3f9",
    entries: 50,
    limits: { entries: 10_000 },
    database: { reachable: true, milliseconds: 1, is_standby: false },
    backup_age_seconds: /** @type {number | null} */ (3600),
    stale: false,
};
const events = { version: "1.0.0", started_at: "", streams: 3 };

Deno.test("a healthy environment has nothing to say", () => {
    assert.equal(worst(checks(status, events)), "good");
});

Deno.test("each fault shows where it is", () => {
    const level = (/** @type {any} */ changed, /** @type {string} */ name, /** @type {any} */ stream = events) =>
        checks({ ...status, ...changed }, stream).find((check) => check.name === name)?.level;
    assert.equal(level({ stale: true }, "config"), "bad");
    assert.equal(level({ database: { reachable: false } }, "database"), "bad");
    assert.equal(level({ database: { reachable: true, is_standby: true } }, "database"), "warning");
    assert.equal(level({ backup_age_seconds: null }, "backup"), "warning");
    assert.equal(level({ entries: 10_000 }, "room"), "bad");
    assert.equal(level({}, "events", { ...events, version: "0.9.0" }), "warning");
    assert.equal(checks(status, undefined).find(({ name }) => name === "events")?.level, "bad");
});

Deno.test("nobody is asked while nobody looks, and less often while nobody answers", () => {
    assert.equal(pollDelay(true, 0), undefined);
    assert.deepEqual(
        [0, 1, 2, 9].map((failures) => pollDelay(false, failures)),
        [10_000, 20_000, 40_000, 120_000],
    );
});

Deno.test("a measure keeps its last values", () => {
    assert.deepEqual(recorded([1, 2, 3], 4, 3), [2, 3, 4]);
    assert.deepEqual(recorded([1], undefined), [1]);
    assert.equal(sparkline([0, 2, 4], 10, 8), "0.0,8.0 5.0,4.0 10.0,0.0");
});
