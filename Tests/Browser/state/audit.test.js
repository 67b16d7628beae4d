import assert from "node:assert/strict";
import { everything, pairs, query } from "../../../deploy/www/console/state/audit.js";

Deno.test("the query has what is asked for and nothing else", () => {
    assert.equal(query(everything, undefined), "limit=100");
    assert.equal(query({ ...everything, action: "token.create", author: "a b" }, 12, 10),
        "limit=10&before=12&action=token.create&author=a+b");
});

Deno.test("details are told as short pairs", () => {
    assert.deepEqual(pairs({ label: "ci", scopes: ["config:read", "admin"], message: "", keys: [], count: 3, more: { a: 1 } }), [
        ["label", "ci"], ["scopes", "config:read, admin"], ["count", "3"], ["more", '{"a":1}'],
    ]);
});
