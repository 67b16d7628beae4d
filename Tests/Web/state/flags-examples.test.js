import assert from "node:assert/strict";
import { exampleAttributes } from "../../../Sources/Web/console/state/flags-contexts.js";
import { readTree, writeTree } from "../../../Sources/Web/console/state/flags-tree.js";

/** Returns the example as a value, or null. @param {any} when */
function example(when) {
    const found = exampleAttributes(readTree(JSON.stringify(when)));
    return found && JSON.parse(writeTree(found));
}
const plan = { "==": [{ var: "plan" }, "pro"] };
const clock = { "almanac.date": [{ var: "$flagd.timestamp" }, ">=", "2026-12-01"] };

Deno.test("a condition that holds for its own value has an example", () => {
    assert.deepEqual(example(plan), { plan: "pro" });
    assert.deepEqual(example({ "===": [{ var: "age" }, 18] }), { age: 18 });
    assert.deepEqual(example({ in: [{ var: "country" }, ["DE", "AT"]] }), { country: "DE" });
    assert.deepEqual(example({ in: ["beta", { var: "groups" }] }), { groups: "beta" });
    for (const operator of ["<=", ">="]) assert.deepEqual(example({ [operator]: [{ var: "age" }, 18] }), { age: 18 });
    for (const operator of ["starts_with", "ends_with"])
        assert.deepEqual(example({ [operator]: [{ var: "email" }, "@x"] }), { email: "@x" });
    for (const relation of ["=", "<=", ">=", "^", "~"])
        assert.deepEqual(example({ sem_ver: [{ var: "version" }, relation, "4.2.0"] }), { version: "4.2.0" });
    assert.deepEqual(example({ "almanac.date": [{ var: "signedUp" }, ">=", "2026-12-01"] }), {
        signedUp: "2026-12-01",
    });
});

Deno.test("conditions without a known example have none", () => {
    for (const when of [
        { "!=": [{ var: "plan" }, "pro"] },
        { "<": [{ var: "age" }, 18] },
        { ">": [{ var: "age" }, 18] },
        { sem_ver: [{ var: "version" }, "!=", "4.2.0"] },
        { sem_ver: [{ var: "version" }, ">", "4.2.0"] },
        { "almanac.matches": [{ var: "email" }, "x$"] },
        { "!": [plan] },
        { "!!": [{ var: "plan" }] },
        { $ref: "staff" },
        { in: [{ var: "country" }, []] },
        { "==": [{ var: "user.plan" }, "pro"] },
        { "==": [{ var: "$flagd.flagKey" }, "pro"] },
        { "==": [{ var: "" }, "pro"] },
        { "==": [{ var: "plan" }, { var: "other" }] },
        { "==": [{ var: ["plan", "free"] }, "pro"] },
        { in: [{ var: "targetingKey" }, ["u1"]] },
        { "<": [1, { var: "age" }, 3] },
        true,
        null,
    ])
        assert.equal(example(when), null, JSON.stringify(when));
});

Deno.test("groups join their examples, and the clock needs none", () => {
    const country = { in: [{ var: "country" }, ["DE"]] };
    assert.deepEqual(example({ and: [plan, country, clock] }), { plan: "pro", country: "DE" });
    assert.deepEqual(example(clock), {});
    assert.equal(example({ and: [plan, { $ref: "staff" }] }), null);
    assert.equal(example({ and: [plan, { "==": [{ var: "plan" }, "team"] }] }), null);
    assert.deepEqual(example({ or: [{ $ref: "staff" }, country] }), { country: "DE" });
    assert.equal(example({ or: [{ $ref: "staff" }] }), null);
});
