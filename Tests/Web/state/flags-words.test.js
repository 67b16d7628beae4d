import assert from "node:assert/strict";
import { Digits, readTree, writeTree } from "../../../Sources/Web/console/state/flags-tree.js";
import {
    audienceChanges,
    conditionText,
    flagChanges,
    formatTime,
    sampleText,
} from "../../../Sources/Web/console/state/flags-words.js";
import { en } from "../../../Sources/Web/console/texts/en.js";
import { flags } from "../../../Sources/Web/console/texts/flags.en.js";
import { Texts } from "../../../Sources/Web/shared/texts.js";

const texts = new Texts("en", { ...en, ...flags }, () => 0);
const checkout = {
    state: "ENABLED",
    variants: { on: true, off: false },
    defaultVariant: "off",
    targeting: {
        if: [
            { in: [{ var: "country" }, ["DE", "AT"]] },
            {
                fractional: [
                    ["on", 5],
                    ["off", 95],
                ],
            },
            { "==": [{ var: "plan" }, "pro"] },
            "on",
        ],
    },
};
const [germany, split, pro, on] = /** @type {any[]} */ (checkout.targeting.if);

/** @param {any} change @param {any} [before] @param {string} [description] */
function said(change, before = checkout, description = "The new checkout") {
    const content = (/** @type {any} */ value, /** @type {string} */ words) => ({
        value: JSON.stringify(value),
        description: words,
        kind: "flag",
    });
    return flagChanges(
        texts,
        before && content(before, "The new checkout"),
        change && content({ ...checkout, ...change }, description),
    ).map(({ text }) => text);
}
/** @param {any[]} rules @param {any} [more] */
const ruled = (rules, more) => said({ targeting: { if: rules } }, more);

Deno.test("changes of rules are sentences with the condition, the outcome and the one before", () => {
    const tenth = {
        fractional: [
            ["on", 1],
            ["off", 9],
        ],
    };
    assert.deepEqual(ruled([germany, tenth, pro, on]), [
        "Rule 1: If country is one of DE, AT, serve on 10%, off 90% (was: on 5%, off 95%)",
    ]);
    const team = { and: [pro, { or: [{ "!!": [{ var: "beta" }] }, { $ref: "staff" }] }] };
    assert.deepEqual(ruled([germany, split, team, on]), [
        "Rule 2 added: If plan is pro and (beta is set or is in audience staff), serve on",
        "Rule 2 removed: If plan is pro, serve on",
    ]);
    assert.deepEqual(ruled([pro, on, germany, split]), ["Rules reordered"]);
    assert.deepEqual(ruled([germany, split]), ["Rule 2 removed: If plan is pro, serve on"]);
    assert.deepEqual(ruled([pro, on]), ["Rule 1 removed: If country is one of DE, AT, serve on 5%, off 95%"]);
    const staff = { ends_with: [{ var: "email" }, "@example.com"] };
    assert.deepEqual(ruled([staff, on, germany, split, pro, on]), [
        "Rule 1 added: If email ends with @example.com, serve on",
    ]);
    const ramp = {
        "almanac.ramp": [
            [
                ["2026-12-01T09:00:00Z", 0],
                ["2026-12-08T09:00:00Z", 50],
            ],
            "on",
        ],
    };
    assert.deepEqual(ruled([germany, split, pro, on, ramp]), [
        `Otherwise: on 0% (${formatTime(texts, "2026-12-01T09:00:00Z")}) – 50% (${formatTime(texts, "2026-12-08T09:00:00Z")}) (was: Default variant)`,
    ]);
    assert.deepEqual(ruled([{ "!": [germany] }, split, pro, "off"]), [
        "Rule 1 added: If not (country is one of DE, AT), serve on 5%, off 95%",
        "Rule 2: If plan is pro, serve off (was: on)",
        "Rule 1 removed: If country is one of DE, AT, serve on 5%, off 95%",
    ]);
});

Deno.test("times in sentences are words, and have the form of the user's language and zone", () => {
    const format = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
    const time = format.format(new Date("2026-11-30T08:00:00Z"));
    const date = (/** @type {string} */ attribute, /** @type {any} */ value, relation = ">=") =>
        conditionText(texts, readTree(JSON.stringify({ "almanac.date": [{ var: attribute }, relation, value] })));
    assert.match(time, /2026/);
    assert.equal(date("$flagd.timestamp", "2026-11-30T08:00:00Z"), `from ${time}`);
    assert.equal(date("signedUp", "2026-11-30T09:00:00+01:00"), `signedUp from ${time}`);
    assert.equal(date("signedUp", "2026-11-30T08:00"), `signedUp from ${time}`);
    assert.equal(date("signedUp", 1782896400), "signedUp from 1782896400");
    for (const [relation, word] of Object.entries({
        "=": "at",
        "!=": "not at",
        "<": "before",
        "<=": "until",
        ">": "after",
    }))
        assert.equal(date("$flagd.timestamp", "2026-11-30T08:00:00Z", relation), `${word} ${time}`);
    assert.equal(formatTime(texts, "2026-11-30T08:00:30Z"), texts.time("2026-11-30T08:00:30Z"));
});

Deno.test("each changed rule has its condition, and its outcomes before and after", () => {
    const value = (/** @type {any} */ targeting) => ({
        value: JSON.stringify({ ...checkout, targeting }),
        description: "",
        kind: "flag",
    });
    const rules = flagChanges(
        texts,
        value({ if: [germany, split, pro, on] }),
        value({ if: [germany, on, { "!!": [{ var: "beta" }] }, "on", "off"] }),
    ).map(({ when, gives = [] }) => [when, ...gives].map((tree) => tree && JSON.parse(writeTree(tree))));
    assert.deepEqual(rules, [
        [germany, split, on],
        [{ "!!": [{ var: "beta" }] }, undefined, "on"],
        [pro, on, undefined],
        [undefined, null, "off"],
    ]);
});

Deno.test("the sentence about sampled users names their attributes", () => {
    const found = {
        sampled: 1000,
        moved: 100,
        variants: [
            { name: "on", count: 100 },
            { name: "off", count: 900 },
        ],
    };
    const moves = [{ from: "off", to: "on", count: 100 }];
    /** @type {Map<string, import("../../../Sources/Web/console/state/flags-tree.js").Tree>} */
    const plan = new Map();
    plan.set("plan", "pro").set("seats", new Digits("5"));
    assert.equal(
        sampleText(texts, { ...found, moves }, plan, false),
        "Of 1,000 sampled users with plan = pro, seats = 5, 100 would get a different variant: before off 100%; after on 10%, off 90%.",
    );
    assert.equal(
        sampleText(texts, { ...found, moved: 0, moves: [] }, new Map(), false),
        "Of 1,000 sampled users without attributes, all keep their variant: on 10%, off 90%.",
    );
    const nobody = { sampled: 10, moved: 0, moves: [], variants: [{ name: null, count: 10 }] };
    assert.equal(
        sampleText(texts, nobody, plan, true),
        "Of 10 sampled users with plan = pro, seats = 5: The app’s own default 100%.",
    );
});

Deno.test("changes of a flag's other members are sentences, too", () => {
    assert.deepEqual(said({ state: "DISABLED" }), ["Turned off"]);
    assert.deepEqual(said({}, { ...checkout, state: "DISABLED" }), ["Turned on"]);
    assert.deepEqual(said({ variants: { on: true, off: false, blue: "#00f" } }), ["Variant blue added: #00f"]);
    assert.deepEqual(said({ variants: { on: true } }), ["Variant off removed: false"]);
    assert.deepEqual(said({ variants: { on: 1, off: false } }), ["Variant on: 1 (was: true)"]);
    assert.deepEqual(said({ defaultVariant: "on" }), ["Default variant: on (was: off)"]);
    assert.deepEqual(said({ metadata: { "almanac.public": true } }), ["Public: On (was: Off)"]);
    assert.deepEqual(said({}, { ...checkout, metadata: { "almanac.public": true } }), ["Public: Off (was: On)"]);
    assert.deepEqual(said({ metadata: { owner: "shop" } }), ["Owner added: shop"]);
    assert.deepEqual(
        said(
            { metadata: { owner: "Mara", kind: "experiment", archived: true, jira: 12 } },
            { ...checkout, metadata: { owner: "shop", kind: "release", tags: "ios", "almanac.public": true } },
        ),
        [
            "Public: Off (was: On)",
            "Archived: On (was: Off)",
            "Owner: Mara (was: shop)",
            "Kind: Experiment (was: Release)",
            "jira added: 12",
            "Tags removed: ios",
        ],
    );
    assert.deepEqual(said({ metadata: { archived: "yes" } }), ["archived added: yes"]);
    assert.deepEqual(said({ state: "PAUSED" }), ["state changed"]);
    assert.deepEqual(said({}, checkout, "Only for Europe"), ["Description: Only for Europe (was: The new checkout)"]);
});

Deno.test("a new flag is told in full, and differences without words leave the JSON alone", () => {
    assert.deepEqual(said({ targeting: undefined }, null), [
        "Flag created",
        "Description: The new checkout",
        "Turned on",
        "Variant on added: true",
        "Variant off added: false",
        "Default variant: off",
    ]);
    assert.deepEqual(said({}), []);
    assert.deepEqual(said({ targeting: {} }, { ...checkout, targeting: undefined }), []);
    assert.deepEqual(said(null), ["Flag removed"]);
    assert.deepEqual(said({ variants: [] }), []);
});

Deno.test("the changes of audiences and of other shared settings are sentences", () => {
    /** @param {unknown} set */
    const content = (set) => ({ value: JSON.stringify(set), description: "", kind: "flag-set" });
    const before = content({ fractional: 2, $evaluators: { staff: { in: [{ var: "team" }, ["qa"]] }, old: true } });
    const after = content({
        fractional: 3,
        $evaluators: { staff: { in: [{ var: "team" }, ["qa", "ops"]] }, new: true },
    });
    assert.deepEqual(audienceChanges(texts, before, after), [
        { text: "Audience staff: team is one of qa, ops (was: team is one of qa)" },
        { text: "Audience new added: true" },
        { text: "Audience old removed: true" },
        { text: "fractional changed" },
    ]);
    assert.deepEqual(audienceChanges(texts, null, content({})), []);
    assert.deepEqual(audienceChanges(texts, before, { value: "[]", description: "" }), []);
});
