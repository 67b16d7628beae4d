import assert from "node:assert/strict";
import { bump, everything, joined, query, reasonOf, startOf } from "../../../Sources/Web/console/state/releases.js";

Deno.test("the query has what is asked for, and days as instants with their whole length", () => {
    const none = { before: undefined, key: undefined, author: undefined, since: undefined, until: undefined };
    assert.deepEqual(query(everything, undefined), { ...none, limit: 100 });
    const day = { since: startOf("2026-01-31", 0), until: startOf("2026-02-01", 0) };
    const filter = { key: "app.theme", author: "a & b", since: "2026-01-31", until: "2026-01-31" };
    assert.deepEqual(query(filter, 43, 10), { limit: 10, before: 43, key: "app.theme", author: "a & b", ...day });
    assert.equal(startOf("soon", 0), undefined);
});

Deno.test("pages join without doubles, newest first", () => {
    const releases = (/** @type {number[]} */ ...revisions) => revisions.map((revision) => ({ revision }));
    assert.deepEqual(joined(releases(9, 8), releases(8, 7)), releases(9, 8, 7));
    assert.deepEqual(joined(releases(7), releases(9, 8)), releases(9, 8, 7));
});

Deno.test("a bump is what the version raised", () => {
    assert.equal(bump("2.0.0"), "major");
    assert.equal(bump("1.10.0"), "minor");
    assert.equal(bump("1.9.10"), "patch");
});

Deno.test("a change says why it raises the version", () => {
    const reason = (/** @type {string | undefined} */ before, /** @type {string | undefined} */ after) => {
        const { bump, reason, path } = reasonOf(before, after);
        return [bump, reason, path].filter(Boolean).join(" ");
    };
    assert.equal(reason(undefined, "1"), "minor added");
    assert.equal(reason("1", undefined), "major removed");
    assert.equal(reason("1", '"1"'), "major retyped");
    assert.equal(reason("1", "1.0"), "patch value-changed");
    assert.equal(reason('{"a": 1}', '{"a":1}'), "patch description-changed");
    assert.equal(reason('{"a":{"b":1},"c":1}', '{"a":{},"c":1,"d":1}'), "major member-removed /a/b");
    assert.equal(reason('{"a":1}', '{"a":2,"d":1}'), "minor member-added /d");
    assert.equal(reason('{"a":[1]}', '{"a":{}}'), "major member-retyped /a");
    assert.equal(reason("[1]", "[1,2]"), "patch value-changed");
});

Deno.test("a flag raises the version by its variants only", () => {
    const reason = (/** @type {string} */ before, /** @type {string} */ after) => {
        const { bump, reason, path } = reasonOf(before, after, "/variants");
        return [bump, reason, path].filter(Boolean).join(" ");
    };
    const flag = '{"variants":{"on":true},"targeting":{"if":[]}}';
    assert.equal(reason('{"variants":{"on":true}}', flag), "patch value-changed");
    assert.equal(reason(flag, '{"variants":{"on":true,"off":false}}'), "minor member-added /variants/off");
    assert.equal(reason(flag, '{"variants":{"on":1}}'), "major member-retyped /variants/on");
    assert.equal(reason(flag, flag), "patch description-changed");
});
