import assert from "node:assert/strict";
import { everything, pairs, query } from "../../../Sources/Web/console/state/audit.js";

Deno.test("the query has what is asked for and nothing else", () => {
    const none = { before: undefined, action: undefined, author: undefined, since: undefined, until: undefined };
    assert.deepEqual(query(everything, undefined), { ...none, limit: 100 });
    const filter = { ...everything, action: "token.create", author: "a b" };
    assert.deepEqual(query(filter, 12, 10), { ...none, limit: 10, before: 12, action: "token.create", author: "a b" });
});

Deno.test("details are told as short pairs", () => {
    assert.deepEqual(
        pairs({ label: "ci", scopes: ["config:read", "admin"], message: "", keys: [], count: 3, more: { a: 1 } }),
        [
            ["label", "ci"],
            ["scopes", "config:read, admin"],
            ["count", "3"],
            ["more", '{"a":1}'],
        ],
    );
});
