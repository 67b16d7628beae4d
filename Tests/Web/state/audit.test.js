import assert from "node:assert/strict";
import { accessOf, everything, pairs, query } from "../../../Sources/Web/console/state/audit.js";

Deno.test("the query has what is asked for and nothing else", () => {
    const none = { before: undefined, action: undefined, author: undefined, since: undefined, until: undefined };
    assert.deepEqual(query(everything, undefined), { ...none, limit: 100 });
    const filter = { ...everything, action: "token.create", author: "a b" };
    assert.deepEqual(query(filter, 12, 10), { ...none, limit: 10, before: 12, action: "token.create", author: "a b" });
});

Deno.test("details are told as short pairs", () => {
    const words = (/** @type {string} */ name, /** @type {string} */ text) =>
        name === "scopes" ? `to ${accessOf(text)}` : text;
    const scopes = ["config:read", "admin", "config:write:banner.*"];
    assert.deepEqual(pairs({ label: "ci", scopes, message: "", keys: [], count: 3, more: { a: 1 } }, words), [
        ["label", "ci"],
        ["scopes", "to read, to admin, to config:write:banner.*"],
        ["count", "3"],
        ["more", '{"a":1}'],
    ]);
});
