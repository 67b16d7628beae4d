import assert from "node:assert/strict";
import { instantOf, localTime, readLocalTime, timeText } from "../../../Sources/Web/console/state/flags-times.js";

Deno.test("times of rules are read like on the server, in UTC if the zone is missing", () => {
    const noon = Date.UTC(2026, 11, 1, 12);
    for (const text of [
        "2026-12-01T12:00:00Z",
        "2026-12-01t12:00z",
        "2026-12-01 12:00",
        "2026-12-01T13:00:00.000+01:00",
        "2026-12-01T07:00:00-0500",
    ])
        assert.equal(instantOf(text), noon, text);
    assert.equal(instantOf("2026-12-01"), noon - 12 * 3_600_000);
    for (const text of ["", "soon", "1782896400", "2026-12-01T25:00Z", "2026-13-01", "2026-12-01T12:00:00Z x"])
        assert.ok(Number.isNaN(instantOf(text)), text);
});

Deno.test("a local time and back is the same time, and seconds stay", () => {
    for (const text of ["2026-12-01T09:00:00Z", "2026-07-01T23:59:30Z", "2027-01-01T00:00:00Z"])
        assert.equal(readLocalTime(localTime(text)), text);
    assert.match(localTime("2026-12-01T09:00:00Z"), /^2026-1[12]-\d\dT\d\d:\d\d$/);
    assert.match(localTime("2026-12-01T09:00:30Z"), /:30$/);
    assert.equal(timeText(0), "1970-01-01T00:00:00Z");
    for (const text of ["", "soon", "275760-09-13T00:00"]) assert.equal(readLocalTime(text), "", text);
    assert.equal(localTime("soon"), "");
});
