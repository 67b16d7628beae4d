import assert from "node:assert/strict";
import {
    editsByKey,
    grouped,
    isContributor,
    isOwn,
    isWorthShowing,
    localTime,
    mayReview,
    namesOf,
    partOf,
    stageOf,
    verdictOf,
    withOffset,
} from "../../../Sources/Web/console/state/proposals.js";

const person = (/** @type {string} */ subject) => ({ issuer: "https://login.example.com", subject, name: subject });
const ada = person("ada");
const mara = person("mara");
const bot = { issuer: null, subject: null, name: "deploy" };
const approver = { scopes: ["config:read", "config:approve"], person: mara };

/** @param {object} members @returns {any} */
const proposal = (members = {}) => ({
    number: 1,
    state: "open",
    keys: ["pay.limit"],
    contributors: [ada],
    reviewed_by: [],
    edits: [{ key: "pay.limit", path: "", before: "1", after: "2", author: ada, round: 1 }],
    reviews: [],
    approved: false,
    conflicted: false,
    changes_requested: false,
    failed: false,
    scheduled: false,
    ...members,
});
/** @param {object} members */
const review = (members) => ({
    id: 1,
    verdict: "approve",
    reviewer: mara,
    counts: true,
    withdrawn_at: null,
    ...members,
});

Deno.test("a person with the scope for a changed key reviews what others contributed", () => {
    assert.equal(mayReview(proposal(), approver), true);
    assert.equal(mayReview(proposal(), { ...approver, person: ada }), false);
    assert.equal(mayReview(proposal(), { ...approver, person: null }), false);
    assert.equal(mayReview(proposal({ state: "draft" }), approver), false);
    for (const [scope, expected] of /** @type {const} */ ([
        ["config:approve:pay.*", true],
        ["config:approve:pay.limit", true],
        ["config:approve:pay", false],
        ["config:approve:search.*", false],
        ["admin", false],
    ]))
        assert.equal(mayReview(proposal(), { ...approver, scopes: [scope] }), expected, scope);
});

Deno.test("a service account is nobody's second person", () => {
    assert.equal(mayReview(proposal({ contributors: [bot] }), approver), true);
    assert.equal(mayReview(proposal({ contributors: [bot] }), { ...approver, person: undefined }), false);
    assert.equal(isOwn(/** @type {any} */ (review({ reviewer: bot })), { scopes: [], person: null }), false);
});

Deno.test("the people whose verdict counts are named", () => {
    const reviews = /** @type {any[]} */ ([
        review({}),
        review({ reviewer: ada, counts: false }),
        review({ reviewer: ada, verdict: "reject" }),
    ]);
    assert.equal(namesOf({ reviews }, "approve"), "mara");
    assert.equal(namesOf({ reviews }, "reject"), "ada");
    assert.equal(isContributor(proposal(), { scopes: [], person: ada }), true);
    assert.equal(isContributor(proposal(), approver), false);
});

Deno.test("the empty description and the usual kind of a new entry are not shown", () => {
    const edit = (/** @type {string} */ path, /** @type {string} */ before, /** @type {string} */ after) =>
        isWorthShowing({ key: "a", path, before, after, author: ada, round: 1 });
    assert.deepEqual([edit("description", "null", '""'), edit("kind", "null", '"value"')], [false, false]);
    assert.deepEqual([edit("description", '"old"', '""'), edit("kind", "null", '"flag"')], [true, true]);
    assert.equal(edit("", "null", '""'), true);
});

Deno.test("proposals are grouped by what they wait for", () => {
    const rejected = { changes_requested: true };
    const cases = /** @type {[string, object][]} */ ([
        ["review", {}],
        ["others", { reviewed_by: [mara] }],
        ["review", { reviewed_by: [ada] }],
        ["changes", rejected],
        ["changes", { conflicted: true, approved: true }],
        ["changes", { failed: true, approved: true }],
        ["ready", { approved: true }],
        ["scheduled", { approved: true, scheduled: true }],
        ["draft", { state: "draft", conflicted: true }],
        ["over", { state: "applied" }],
        ["over", { state: "closed", changes_requested: true }],
    ]);
    for (const [stage, members] of cases)
        assert.equal(stageOf(proposal(members), approver), stage, JSON.stringify(members));
    const groups = grouped(
        cases.map(([, members]) => proposal(members)),
        approver,
    );
    assert.deepEqual(
        groups.map(([stage, found]) => [stage, found.length]),
        [
            ["review", 2],
            ["changes", 3],
            ["ready", 1],
            ["others", 1],
            ["scheduled", 1],
            ["draft", 1],
            ["over", 2],
        ],
    );
});

Deno.test("the viewer's own verdict is found, and can be withdrawn once", () => {
    const mine = /** @type {any} */ (review({ id: 7 }));
    assert.equal(verdictOf(proposal({ reviews: [review({ reviewer: ada }), mine] }), approver)?.id, 7);
    assert.equal(verdictOf(proposal({ reviews: [review({ verdict: "comment" })] }), approver), undefined);
    assert.equal(isOwn(mine, approver), true);
    assert.equal(isOwn({ ...mine, withdrawn_at: "2026-12-01T09:00:00Z" }, approver), false);
});

Deno.test("edits are grouped by key, and parts have names", () => {
    const edits = ["b", "a", "b"].map((key, at) => ({ ...proposal().edits[0], key, path: `variants/${at}` }));
    assert.deepEqual(
        editsByKey(edits).map(([key, found]) => [key, found.map(({ path }) => path)]),
        [
            ["a", ["variants/1"]],
            ["b", ["variants/0", "variants/2"]],
        ],
    );
    assert.deepEqual(partOf(""), { kind: "value", name: "" });
    assert.deepEqual(partOf("state"), { kind: "state", name: "" });
    assert.deepEqual(partOf("variants/on~1off~01"), { kind: "variant", name: "on/off~1" });
    assert.deepEqual(partOf("$evaluators/eu"), { kind: "audience", name: "eu" });
});

Deno.test("a chosen time has the offset of its zone, also when the clocks change", () => {
    const berlin = (/** @type {string} */ local) => withOffset(local, "Europe/Berlin");
    assert.equal(berlin("2026-12-01T09:00"), "2026-12-01T09:00:00+01:00");
    assert.equal(berlin("2026-07-01T09:00"), "2026-07-01T09:00:00+02:00");
    // The clocks go from 2 to 3 on 2026-03-29, and from 3 to 2 on 2026-10-25.
    assert.equal(berlin("2026-03-28T23:30"), "2026-03-28T23:30:00+01:00");
    assert.equal(berlin("2026-03-29T02:30"), "2026-03-29T02:30:00+01:00");
    assert.equal(berlin("2026-03-29T23:30"), "2026-03-29T23:30:00+02:00");
    assert.equal(berlin("2026-10-25T02:30"), "2026-10-25T02:30:00+02:00");
    assert.equal(berlin("2026-10-25T23:30"), "2026-10-25T23:30:00+01:00");
    assert.equal(withOffset("2026-12-01T09:00", "Asia/Kathmandu"), "2026-12-01T09:00:00+05:45");
    assert.equal(withOffset("2026-12-01T09:00", "America/St_Johns"), "2026-12-01T09:00:00-03:30");
    assert.equal(withOffset("2026-12-01T09:00", "UTC"), "2026-12-01T09:00:00+00:00");
    assert.equal(localTime("2026-10-25T22:30:00Z", "Europe/Berlin"), "2026-10-25T23:30");
    assert.equal(localTime("2026-12-01T12:30:00Z", "America/St_Johns"), "2026-12-01T09:00");
});
