import assert from "node:assert/strict";
import { readContext } from "../../../Sources/Web/console/state/flags-contexts.js";
import { readTree } from "../../../Sources/Web/console/state/flags-tree.js";
import { explain } from "../../../Sources/Web/console/state/flags-why.js";
import { formatTime } from "../../../Sources/Web/console/state/flags-words.js";
import { de } from "../../../Sources/Web/console/texts/de.js";
import { en } from "../../../Sources/Web/console/texts/en.js";
import { flags as german } from "../../../Sources/Web/console/texts/flags.de.js";
import { flags } from "../../../Sources/Web/console/texts/flags.en.js";
import { Texts } from "../../../Sources/Web/shared/texts.js";

const english = new Texts("en", { ...en, ...flags }, () => 0);
const shared = { testers: { in: [{ var: "team" }, ["qa", "ops"]] } };

/** @typedef {import("../../../Sources/Web/console/state/flags-why.js").Sentence} Sentence */

/** @param {Texts} texts @param {Sentence | string} one @returns {string} */
const text = (texts, one) =>
    typeof one === "string"
        ? one
        : texts.say(
              one[0],
              Object.fromEntries(Object.entries(one[1]).map(([name, slot]) => [name, text(texts, slot)])),
          );

/**
 * Returns the sentences about an answer of the server.
 * @param {any} targeting
 * @param {any[]} steps each with the path below the flag's targeting, or a whole path
 * @param {any} [answer]
 * @param {string} [context]
 */
function said(targeting, steps, answer = {}, context = "targetingKey: anna", texts = english) {
    const placed = steps.map(([path, finding, more = {}, decides = finding !== "compared"]) => ({
        path: path.startsWith("/") ? path : `/flags/a.b/targeting/${path}`,
        finding,
        ...more,
        decides,
    }));
    const document = { variant: "off", reason: "TARGETING_MATCH", steps: placed, ...answer };
    const question = {
        key: "a.b",
        definition: readTree(JSON.stringify({ targeting })),
        evaluators: readTree(JSON.stringify(shared)),
        context: readContext(context) ?? new Map(),
    };
    const answered = /** @type {any} */ (readTree(JSON.stringify(document)));
    return explain(texts, answered, question).map((one) => text(texts, one));
}

/** @param {any[]} operands @param {boolean | null} [result] */
const compared = (operands, result = false) => ({ operands, result });
const failed = { holds: false, branch: null };
const matched = { holds: true, branch: 1 };
/** Returns the sentences about a rule with one condition. @param {any} when @param {string} path @param {any} step */
const about = (when, path, step, holds = false) =>
    said({ if: [when, "on"] }, [
        [`if/0/${path}`, "compared", step],
        ["if", "condition", holds ? matched : failed],
    ]);

Deno.test("a matched rule is told by its comparisons, another one by what it wants", () => {
    const version = { sem_ver: [{ var: "appVersion" }, ">=", "4.2.0"] };
    const country = { in: [{ var: "country" }, ["DE", "AT"]] };
    const targeting = { if: [country, "off", { and: [{ "==": [{ var: "plan" }, "pro"] }, version] }, "on"] };
    const steps = [
        ["if/0/in", "compared", compared(["FR", ["DE", "AT"]])],
        ["if", "condition", { holds: false, branch: 2 }],
        ["if/2/and/0/==", "compared", compared(["pro", "pro"], true)],
        ["if/2/and/1/sem_ver", "compared", compared(["4.10.0", ">=", "4.2.0"], true)],
        ["if", "condition", { holds: true, branch: 3 }],
    ];
    assert.deepEqual(said(targeting, steps), [
        "Rule 1 didn’t match: country is FR, and the rule wants one of DE, AT",
        "Rule 2 matched: plan is pro; appVersion 4.10.0 ≥ 4.2.0",
    ]);
    const texts = new Texts("de", { ...de, ...german }, () => 0);
    assert.deepEqual(said(targeting, steps, {}, "", texts), [
        "Regel 1 trifft nicht zu: country ist FR, verlangt ist eins von DE, AT",
        "Regel 2 trifft zu: plan ist pro; appVersion 4.10.0 ≥ 4.2.0",
    ]);
});

Deno.test("every operator has words for what the rule wants", () => {
    const age = { var: "age" };
    /** @type {[string, any, any[], string][]} */
    const cases = [
        ["!=", { "!=": [age, 3] }, [3, 3], "age is 3, and the rule wants anything but 3"],
        ["<", { "<": [age, 3] }, [3, 3], "age is 3, and the rule wants < 3"],
        [">=", { ">=": [age, 3] }, [null, 3], "age is missing, and the rule wants ≥ 3"],
        ["in", { in: ["x", age] }, ["x", ["y", "z"]], "age is y, z, and the rule wants a text or list with x"],
        ["ends_with", { ends_with: [age, "x"] }, ["y", "x"], "age is y, and the rule wants a text that ends with x"],
        [
            "almanac.matches",
            { "almanac.matches": [age, "^x"] },
            ["y"],
            "age is y, and the rule wants a text that matches ^x",
        ],
        ["<", { "<": [1, age, 3] }, [1, 4, 3], 'the rule wants {"<": [1, {"var": "age"}, 3]}'],
        [
            "almanac.date",
            { "almanac.date": [{ var: "$flagd.timestamp" }, ">=", "2026-12-24T00:00:00Z"] },
            [1795982656, ">=", "2026-12-24T00:00:00Z"],
            `time is ${english.time("2026-11-29T20:04:16Z")}, and the rule wants from ${formatTime(english, "2026-12-24T00:00:00Z")}`,
        ],
    ];
    for (const [path, when, operands, words] of cases)
        assert.deepEqual(about(when, path, compared(operands))[0], `Rule 1 didn’t match: ${words}`);
});

Deno.test("a comparison of times is told in words", () => {
    const clock = { "almanac.date": [{ var: "$flagd.timestamp" }, ">=", "2026-11-24T00:00:00Z"] };
    assert.deepEqual(
        about(clock, "almanac.date", compared([1795982656, ">=", "2026-11-24T00:00:00Z"], true), true)[0],
        `Rule 1 matched: time ${english.time("2026-11-29T20:04:16Z")} (from ${formatTime(english, "2026-11-24T00:00:00Z")})`,
    );
});

Deno.test("a negated condition tells which comparison it excludes", () => {
    const plan = { "==": [{ var: "plan" }, "pro"] };
    assert.deepEqual(
        about({ "!": [plan] }, "!/0/==", compared(["pro", "pro"], true))[0],
        "Rule 1 didn’t match: plan is pro, and the rule wants not (pro)",
    );
    assert.deepEqual(
        about({ "!": plan }, "!/==", compared(["free", "pro"]), true)[0],
        "Rule 1 matched: not (plan is pro)",
    );
});

Deno.test("a condition without comparisons is told by its own words", () => {
    assert.deepEqual(said({ if: [{ "!!": [{ var: "beta" }] }, "on"] }, [["if", "condition", failed]]), [
        "Rule 1 didn’t match: the rule wants beta is set",
        "No rule matched, so everyone gets off",
    ]);
    const both = { and: [{ "==": [{ var: "plan" }, "pro"] }, { "!!": [{ var: "beta" }] }] };
    assert.deepEqual(
        about(both, "and/0/==", compared(["pro", "pro"], true))[0],
        "Rule 1 didn’t match: the rule wants plan is pro and beta is set",
    );
});

Deno.test("a type that keeps a rule from matching has a hint", () => {
    const hint = "number is here of type";
    const number = { in: [{ var: "number" }, [101, 102]] };
    const [sentence, words] = about(number, "in", compared(["101", [101, 102]]));
    assert.equal(sentence, 'Rule 1 didn’t match: number is "101", and the rule wants one of 101, 102');
    assert.equal(words, `${hint} text, but the rule compares it with type number. Use the same type in both.`);
    const start = about({ starts_with: [{ var: "number" }, "10"] }, "starts_with", compared([101, "10"], null));
    assert.ok(start[1].startsWith(`${hint} number, but the rule compares it with type text.`), start[1]);
    assert.ok(
        !about(number, "in", compared([103, [101, 102]]))
            .join()
            .includes(hint),
    );
    assert.ok(
        !about(number, "in", compared([null, [101, 102]]))
            .join()
            .includes(hint),
    );
});

Deno.test("shares are told with the user's place", () => {
    const split = {
        fractional: [
            ["on", 10],
            ["off", 90],
        ],
    };
    assert.deepEqual(said(split, [["fractional", "split", { share: 0.07312, bucket: 0 }]]), [
        "User anna is in the 10% that get on (bucket 7.31%)",
    ]);
    const account = { fractional: [{ var: "account" }, ["on", 1], [null, 3]] };
    assert.deepEqual(said(account, [["fractional", "split", { share: 0.5, bucket: 2 }]], {}, "account: 7"), [
        "account 7 is in the 75% that get Default variant (bucket 50%)",
    ]);
    assert.deepEqual(said(account, [["fractional", "nothing-to-split-by"]]), [
        "The context has no account, so it has no place in a percentage rollout",
    ]);
    const computed = {
        fractional: [
            ["on", { "+": [1, 2] }],
            ["off", 90],
        ],
    };
    assert.deepEqual(said(computed, [["fractional", "split", { share: 0.5, bucket: 1 }]]), [
        '{"fractional": [["on", {"+": [1, 2]}], ["off", 90]]}',
    ]);
    const ramp = { "almanac.ramp": [[["2026-11-01T09:00:00Z", 0]], "on", "off"] };
    assert.deepEqual(said(ramp, [["almanac.ramp", "ramp", { percent: 94.87, in: false }]]), [
        "User anna isn’t in the 94.87% that get on now",
    ]);
});

Deno.test("the place in a split of another system is told", () => {
    const scheme = [{ scheme: "unleash", groupId: "g" }, { var: "account" }];
    const ranges = [
        [0, 37, "on"],
        [37, 60, { if: [{ var: "a" }, "on"] }],
    ];
    const split = { "almanac.split": [...scheme, ranges] };
    /** @param {number | null} range */
    const told = (range) =>
        said(split, [["almanac.split", "bucket", { bucket: 12, buckets: 100, range }]], {}, "account: 7");
    assert.deepEqual(told(0), ["account 7 is in bucket 12 of 100, which gets on"]);
    assert.deepEqual(told(1), ['account 7 is in bucket 12 of 100, which gets {"if": [{"var": "a"}, "on"]}']);
    assert.deepEqual(told(null), ["account 7 is in bucket 12 of 100, which gets Default variant"]);
    assert.deepEqual(said(split, [["almanac.split", "nothing-to-split-by"]]), [
        "The context has no account, so it has no place in a percentage rollout",
    ]);
    const ramp = { "almanac.ramp": [...scheme, [["2026-11-01T09:00:00Z", 0]], "on", "off"] };
    assert.deepEqual(said(ramp, [["almanac.ramp", "ramp", { percent: 20, in: true }]], {}, "account: 7"), [
        "account 7 is in the 20% that get on now",
    ]);
});

Deno.test("nested rules have the number of their rule, and the steps of other flags are not told", () => {
    const old = { "==": [{ "almanac.flag": "other" }, "on"] };
    const targeting = { if: [old, "off", { $ref: "testers" }, { if: [{ var: "a" }, "on", "off"] }] };
    const steps = [
        ["/flags/other/targeting/if/0/==", "compared", compared([1, 2])],
        ["/$evaluators/testers/in", "compared", compared([null, ["qa", "ops"]])],
        ["/flags/other/targeting/if", "condition", failed, false],
        ["if/0/==/0/almanac.flag", "flag", { flag: "other", variant: "off" }, false],
        ["if/0/==", "compared", compared(["off", "on"])],
        ["if", "condition", { holds: false, branch: 2 }],
        ["/$evaluators/testers/in", "compared", compared(["qa", ["qa", "ops"]], true)],
        ["if", "condition", { holds: true, branch: 3 }],
        ["if/3/if", "condition", { holds: false, branch: 2 }],
    ];
    assert.deepEqual(said(targeting, steps), [
        "Rule 1 didn’t match: Flag other is off, and the rule wants on",
        "Rule 2 matched: team qa is one of qa, ops",
        'Rule 2.1 didn’t match: the rule wants {"var": "a"}',
        "No rule matched, so everyone gets off",
    ]);
});

Deno.test("a flag without rules, without a default or switched off is told in one sentence", () => {
    assert.deepEqual(said(undefined, [], { reason: "STATIC" }), ["There are no rules, so everyone gets off"]);
    assert.deepEqual(said(undefined, [], { reason: "DEFAULT", variant: null }), [
        "There are no rules, so apps use their own default",
    ]);
    assert.deepEqual(said(undefined, [], { reason: "DISABLED", variant: null }), [
        "The flag is off, so apps use their own default",
    ]);
    assert.deepEqual(said(undefined, [], { reason: "ERROR", variant: null }), []);
});

Deno.test("hostile values stay texts, and long ones are cut", () => {
    const long = "x".repeat(500);
    const markup = "<img src=x onerror=alert(1)>";
    const [first] = about({ "==": [{ var: markup }, long] }, "==", compared([long, `${long}…`]));
    assert.ok(first.includes(markup) && first.length < 400, first);
    assert.deepEqual(said({ if: "broken" }, [["if", "condition", failed]]).length, 2);
    assert.deepEqual(said(null, [["no/such/place", "compared", compared([])]]).length, 2);
});
