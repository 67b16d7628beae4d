import assert from "node:assert/strict";
import * as flags from "../../../Sources/Web/console/state/flags.js";
import * as contexts from "../../../Sources/Web/console/state/flags-contexts.js";
import * as rules from "../../../Sources/Web/console/state/flags-rules.js";
import * as trees from "../../../Sources/Web/console/state/flags-tree.js";
import { same } from "../../../Sources/Web/shared/json-forms.js";
import { random } from "./checks.js";

/** @typedef {import("../../../Sources/Web/console/state/flags-tree.js").Tree} Tree */

/** The number of random definitions per run. */
const rounds = 3000;

/**
 * Returns a random rule: realistic ones, mixed with parts that the form cannot show.
 * @param {(below: number) => number} below
 */
function invention(below) {
    /** @template T @param {T[]} all */
    const pick = (all) => all[below(all.length)];
    const names = ["on", "off", "a b", "1", "__proto__", "größer", "<b>", ""];
    const number = () => pick(["1", "0.10", "9007199254740993", "-1e3", "100", "2147483648"]);
    const text = () => JSON.stringify(pick([...names, "a, b", '"', "true", "2.0.0", "\u202e", "x\ny", " "]));
    const scalar = () => pick([text, text, number, () => pick(["true", "false", "null"])])();
    const attribute = () =>
        pick([
            ...['{"var": "plan"}', '{"var": "a.b"}', '{"var": ["x"]}', '{"var": ""}', '{"almanac.flag": "f"}'],
            ...['{"almanac.lower": {"var": "plan"}}', '{"almanac.lower": [{"var": "plan"}]}', '{"almanac.lower": "A"}'],
            ...['{"almanac.hashed": [{"var": "mail"}, ["a", "b"], -3]}', '{"almanac.hashed": [{"var": "mail"}, "a"]}'],
        ]);
    /** @param {() => string} make @param {number} least */
    const list = (make, least = 0) => Array.from({ length: least + below(4) }, make).join(", ");
    /** @param {number} depth @returns {string} */
    const condition = (depth) =>
        pick([
            () => `{${pick(['"=="', '"!="', '"==="', '"<"', '">="', '"in"', '"+"'])}: [${attribute()}, ${scalar()}]}`,
            () => `{"in": [${attribute()}, [${list(scalar)}]]}`,
            () => `{"in": [${scalar()}, ${attribute()}]}`,
            () => `{${pick(['"starts_with"', '"ends_with"', '"almanac.matches"'])}: [${attribute()}, ${scalar()}]}`,
            () => `{"sem_ver": [${attribute()}, ${pick(['">="', '"^"', '"?"', '[">="]'])}, ${scalar()}]}`,
            () => `{"almanac.date": [${attribute()}, "<", ${scalar()}]}`,
            () => `{"almanac.version": [${attribute()}, ${pick(['">="', '"~"'])}, ${scalar()}]}`,
            () => `{"almanac.network": [${attribute()}, [${list(text)}]]}`,
            () => `{"!!": [${attribute()}]}`,
            () => `{"$ref": ${text()}}`,
            () => scalar(),
            () => attribute(),
            () => `{"<": [1, ${attribute()}, 3]}`,
            () => `{"a": 1, "b": ${number()}}`,
            ...(depth > 0
                ? [
                      () => `{"and": [${list(() => condition(depth - 1))}]}`,
                      () => `{"or": [${list(() => condition(depth - 1), 1)}]}`,
                      () => `{"!": [${condition(depth - 1)}]}`,
                      () => `{"!": ${condition(depth - 1)}}`,
                  ]
                : []),
        ])();
    const by = () =>
        pick(["", "", `${attribute()}, `, `{"cat": [{"var": "$flagd.flagKey"}, ${attribute()}]}, `, '"x", ']);
    const bucket = () =>
        pick([() => `[${text()}, ${number()}]`, () => `[${text()}]`, () => "[null, 5]", () => "[]", () => "1"])();
    const point = () => `[${pick(['"2026-07-01T09:00:00Z"', '"soon"', "1782896400"])}, ${number()}]`;
    /** @param {number} depth @returns {string} */
    const outcome = (depth) =>
        pick([
            () => text(),
            () => scalar(),
            () => `{"fractional": [${by()}${list(bucket, 1)}]}`,
            () => `{"almanac.ramp": [${by()}[${list(point)}], ${list(scalar, 1)}]}`,
            () => `{"$ref": ${text()}}`,
            () => condition(1),
            ...(depth > 0 ? [() => branches(depth - 1), () => branches(depth - 1)] : []),
        ])();
    /** @param {number} depth @returns {string} */
    const branches = (depth) => {
        const pairs = Array.from({ length: below(4) }, () => `${condition(2)}, ${outcome(depth)}`);
        return `{"if": [${[...pairs, ...(below(2) ? [outcome(depth)] : [])].join(", ")}]}`;
    };
    return branches(2);
}

/** Parses a condition with all its parts, and writes it again. @param {Tree} tree @returns {Tree} */
function conditionAgain(tree) {
    const condition = rules.readCondition(tree);
    const { operator, parts } = condition;
    if (rules.groups.includes(operator))
        return rules.writeCondition({ ...condition, parts: parts.map(conditionAgain) });
    if (operator === "" || parts.length === 0) return rules.writeCondition(condition);
    const { lower, hashed } = condition;
    // Hashes have no field.
    if (hashed) return rules.writeCondition(condition);
    const [subject, value] = parts;
    const again = [rules.readSubject(rules.subjectText(subject))];
    if (value !== undefined)
        again.push(rules.readValue(operator, rules.valueText(operator, value), rules.valueTypeOf(value)));
    return rules.writeCondition({ operator, parts: again, lower });
}

/** @param {Tree} tree @returns {Tree} */
function outcomeAgain(tree) {
    const outcome = rules.readOutcome(tree);
    if (outcome.kind !== "rules") return rules.writeOutcome(outcome);
    return rules.writeOutcome({
        ...outcome,
        rules: outcome.rules.map(({ when, gives }) => ({ when: conditionAgain(when), gives: outcomeAgain(gives) })),
        otherwise: outcome.otherwise === undefined ? undefined : outcomeAgain(outcome.otherwise),
    });
}

Deno.test("what the form reads it writes again, digit for digit, whatever the rule", () => {
    const below = random(18);
    for (let round = 0; round < rounds; round += 1) {
        const text = invention(below);
        const tree = trees.readTree(text);
        assert.ok(same(text, trees.writeTree(tree)), text);
        assert.equal(trees.writeTree(outcomeAgain(tree)), trees.writeTree(tree), text);
        assert.equal(trees.writeTree(rules.mapVariants(tree, (name) => name)), trees.writeTree(tree), text);
    }
});

Deno.test("what the form has no shape for stays as it is", () => {
    for (const text of [
        '{"<": [1, {"var": "age"}, 3]}',
        '{"var": ["plan", "free"]}',
        '{"==": [1, 1]}',
        '{"sem_ver": [{"var": "v"}, [">="], "1.0.0"]}',
        '{"fractional": [["on", {"-": [1, 2]}], ["off", 1.5]]}',
        '{"almanac.ramp": [[[["2026-07-01T09:00:00Z"], 1]], "on"]}',
    ]) {
        const tree = trees.readTree(text);
        assert.equal(rules.readCondition(tree).operator, "", text);
        assert.equal(rules.readOutcome(tree).kind, "json", text);
    }
});

Deno.test("a context is lines or JSON", () => {
    const context = (/** @type {string} */ text) => trees.writeTree(contexts.readContext(text));
    assert.equal(
        context('targetingKey: u1\nplan: \nage:1.0\nurl: https://a.b/c\n__proto__: x\nlist: [1, 2]\nq: "1"\n '),
        '{"targetingKey": "u1", "age": 1.0, "url": "https://a.b/c", "__proto__": "x", "list": [1, 2], "q": "1"}',
    );
    assert.equal(context(' {"big": 9007199254740993}'), '{"big": 9007199254740993}');
    assert.equal(context(""), "{}");
    for (const text of ["{broken", "[1]", "plan", "plan: pro\nplan\tpro", ": pro"])
        assert.equal(contexts.readContext(text), null, text);
});

Deno.test("a value that is typed is read as it is shown", () => {
    for (const value of [
        "pro",
        "",
        "true",
        "1",
        "a, b",
        '"',
        '"x"',
        " x",
        "x\ny",
        "null",
        "[1]",
        "{",
        "{}",
        '"{}"',
        "größer",
        "-",
    ]) {
        assert.equal(trees.parseValue(trees.formatValue(value)), value);
        for (const operator of rules.operators.filter((one) => !/^in$|network/.test(one)))
            assert.equal(
                rules.readValue(operator, rules.valueText(operator, value), "string"),
                value,
                `${operator} ${value}`,
            );
        assert.deepEqual(trees.parseList(trees.formatList([value, "z"])), [value, "z"]);
    }
    for (const text of ["1.10", "true", "null", "9007199254740993"])
        assert.equal(trees.writeTree(trees.parseValue(text)), text);
    assert.deepEqual(trees.parseList(" pro,team ,, 2"), ["pro", "team", new trees.Digits("2")]);
});

Deno.test("a compared value has the type that is selected beside it, and a typed one the likeliest", () => {
    /** @param {string} operator @param {string} text @param {string} [type] */
    const written = (operator, text, type) => trees.writeTree(rules.readValue(operator, text, type));
    assert.equal(written("in", "101, 102", "string"), '["101", "102"]');
    assert.equal(written("in", "101, 102", "number"), "[101, 102]");
    assert.equal(written("in", '"Paris, TX", Lyon', "string"), '["Paris, TX", "Lyon"]');
    assert.equal(written("==", "0049", "string"), '"0049"');
    assert.equal(written("==", "true", "boolean"), "true");
    assert.equal(written("==", '{"var": "b"}', "string"), JSON.stringify('{"var": "b"}'));
    assert.equal(written("==", '{"var": "b"}', "json"), '{"var": "b"}');
    for (const [text, type, shown] of [
        ['["101", "102"]', "string", "101, 102"],
        ["[101, 102]", "number", "101, 102"],
        ['["101", 102]', "json", '"101", 102'],
        ["[true]", "boolean", "true"],
        ["[]", "json", ""],
        ["null", "json", "null"],
    ]) {
        const value = trees.readTree(text);
        assert.equal(rules.valueTypeOf(value), type, text);
        assert.equal(rules.valueText("in", value), shown);
    }
    for (const [text, type] of [
        ["101, 102", "number"],
        ["101, DE", "string"],
        ["true", "boolean"],
        ["null", "string"],
        ['["DE", 1]', "json"],
    ])
        assert.equal(rules.likelyType("in", text), type, text);
    assert.equal(rules.isBlank("==", '""', "string"), false);
    assert.equal(rules.isBlank("in", " , ", "string"), true);
    for (const operator of ["starts_with", "sem_ver >=", "almanac.date <", "!!"])
        assert.equal(rules.isTyped(operator), false, operator);
});

Deno.test("a variant that is renamed is renamed in every rule that comes to it", () => {
    const text =
        '{"if": [{"==": [{"var": "on"}, "on"]}, {"fractional": [["on", 1], ["off", 2]]}, {"$ref": "on"}, ' +
        '{"if": [true, "on"]}, {"almanac.ramp": [[["2026-07-01T09:00:00Z", 1]], "on", "off"]}]}';
    const changed = rules.mapVariants(trees.readTree(text), (name) => (name === "on" ? "new" : name));
    assert.equal(
        trees.writeTree(changed),
        '{"if": [{"==": [{"var": "on"}, "on"]}, {"fractional": [["new", 1], ["off", 2]]}, {"$ref": "on"}, ' +
            '{"if": [true, "new"]}, {"almanac.ramp": [[["2026-07-01T09:00:00Z", 1]], "new", "off"]}]}',
    );
});

Deno.test("a variant that is renamed is renamed in the splits of other systems", () => {
    const scheme = '{"scheme": "unleash", "groupId": "on"}, {"var": "on"}';
    const text = (/** @type {string} */ name) =>
        `{"almanac.split": [${scheme}, [[0, 37, "${name}"], [37, 100, {"if": [true, "${name}"]}]]]}`;
    const ramp = (/** @type {string} */ name) =>
        `{"almanac.ramp": [${scheme}, [["2026-07-01T09:00:00Z", 1]], "${name}"]}`;
    for (const one of [text, ramp]) {
        const changed = rules.mapVariants(trees.readTree(one("on")), (name) => (name === "on" ? "new" : name));
        assert.equal(trees.writeTree(changed), one("new"));
    }
    const odd = '{"almanac.split": [{"scheme": "unleash"}, "on"]}';
    assert.equal(trees.writeTree(rules.mapVariants(trees.readTree(odd), () => "new")), odd);
});

Deno.test("a rule of which nothing is left goes, and a bare variant becomes the default", () => {
    const definition = /** @type {any} */ (trees.readTree('{"state": "ENABLED", "targeting": {"if": [true, "a"]}}'));
    /** @param {Tree | undefined} otherwise */
    const without = (otherwise) =>
        trees.writeTree(rules.withTargeting(definition, { kind: "rules", rules: [], otherwise }));
    assert.equal(without(undefined), '{"state": "ENABLED"}');
    assert.equal(without(null), '{"state": "ENABLED"}');
    assert.equal(without("b"), '{"state": "ENABLED", "defaultVariant": "b"}');
    assert.equal(without(trees.readTree('{"$ref": "x"}')), '{"state": "ENABLED", "targeting": {"$ref": "x"}}');
});

Deno.test("attributes of a rule are found wherever they stand, but those of evaluation itself", () => {
    const tree = trees.readTree(
        '{"if": [{"and": [{"var": "a"}, {"==": [{"var": ["b", 1]}, {"var": "$flagd.timestamp"}]}]}, "x", {"var": ""}]}',
    );
    assert.deepEqual([...contexts.attributesOf(tree)], ["a", "b"]);
});

/** @param {Partial<flags.Usage>} more @returns {flags.Usage} */
const use = (more) => ({
    key: "f",
    type: "boolean",
    state: "ENABLED",
    variants: [],
    public: false,
    fault: null,
    last_evaluated_at: null,
    updated_at: "2026-01-01T00:00:00.000Z",
    updated_by: "Ada",
    life: "active",
    ...more,
});
const january = Date.parse("2026-01-31T12:00:00Z");

Deno.test("the list is filtered by words and by what is to be shown, with the draft laid over", () => {
    /** @param {any} [change] @returns {any} */
    const row = (change) => ({
        key: "new-ui",
        entry: { description: "The second CHECKOUT", text: "{}", whole: true },
        change,
    });
    const off = { after: { value: '{"state": "DISABLED", "metadata": {"almanac.public": true}}', description: "" } };
    assert.equal(flags.fits(row(), use({}), flags.wordsOf("ui checkout"), "all", january), true);
    assert.equal(flags.fits(row(), use({}), flags.wordsOf("other"), "all", january), false);
    assert.equal(flags.fits(row(), use({}), [], "enabled", january), true);
    assert.equal(flags.fits(row(), use({}), [], "public", january), false);
    assert.equal(flags.fits(row(), use({}), [], "draft", january), false);
    assert.equal(flags.fits(row(), use({ fault: { path: "", message: "" } }), [], "faulty", january), true);
    for (const show of /** @type {const} */ (["disabled", "public", "draft", "quiet"]))
        assert.equal(flags.fits(row(off), use({ life: "unused" }), [], show, january), true, show);
    assert.equal(flags.fits(row(off), undefined, [], "quiet", january), false);
    assert.equal(flags.fits(row(off), use({}), [], "quiet", january), false);
    for (const life of /** @type {const} */ (["new", "settled"])) {
        assert.equal(flags.fits(row(), use({ life }), [], life, january), true, life);
        assert.equal(flags.fits(row(), use({}), [], life, january), false, life);
    }
});

Deno.test("a member that is set leaves all others as they are", () => {
    const text = '{"x": 1.10, "state": "ENABLED", "metadata": {"a": 1}, "variants": {"on": true}}';
    const definition = /** @type {any} */ (trees.readTree(text));
    assert.equal(
        trees.writeTree(flags.withPublic(definition, true)),
        '{"x": 1.10, "state": "ENABLED", "metadata": {"a": 1, "almanac.public": true}, "variants": {"on": true}}',
    );
    assert.equal(trees.writeTree(flags.withPublic(flags.withPublic(definition, true), false)), text);
    assert.equal(flags.isPublic(flags.withPublic(definition, true)), true);
    assert.equal(flags.editableDefinition(trees.readTree('{"variants": []}')), null);
    assert.equal(flags.editableDefinition(trees.readTree("[]")), null);
    const variants = /** @type {any} */ (trees.readTree('{"on": 1, "off": 2}'));
    assert.equal(trees.writeTree(flags.renamed(variants, "on", "__proto__")), '{"__proto__": 1, "off": 2}');
});

/** @param {string} metadata @returns {any} */
const rowWith = (metadata) => ({
    key: "checkout.express",
    entry: { description: "", full: true, text: `{"state": "ENABLED", "variants": {"on": true}${metadata}}` },
});

Deno.test("an archived flag is listed by its filter and in the draft only", () => {
    const archived = rowWith(', "metadata": {"archived": true}');
    const kept = rowWith(', "metadata": {"archived": "true", "note": "archived"}');
    const show = (/** @type {any} */ row, /** @type {flags.FlagFilter} */ filter) =>
        flags.fits(row, use({}), [], filter, january);
    assert.deepEqual(
        [show(archived, "all"), show(archived, "enabled"), show(archived, "archived")],
        [false, false, true],
    );
    assert.deepEqual([show(kept, "all"), show(kept, "enabled"), show(kept, "archived")], [true, true, false]);
    archived.change = { after: { value: archived.entry.text, description: "" } };
    assert.equal(show(archived, "draft"), true);
});

Deno.test("a flag is due from the day of its expiry", () => {
    const due = (/** @type {string} */ day) =>
        flags.fits(rowWith(`, "metadata": {"expires": ${day}}`), use({}), [], "due", january);
    assert.deepEqual(['"2026-01-31"', '"2026-01-31T11:00:00Z"', '"2026-02-01"', '"soon"', "20260101"].map(due), [
        true,
        true,
        false,
        false,
        false,
    ]);
    assert.equal(flags.fits(rowWith(""), use({}), [], "due", january), false);
});

Deno.test("a member of the metadata that is set leaves the digits of the others", () => {
    const text = '{"state": "ENABLED", "metadata": {"rank": 9007199254740993, "weight": 1.10}}';
    const definition = /** @type {any} */ (trees.readTree(text));
    const owned = flags.withMetadata(definition, "owner", "Mara Lindqvist");
    assert.equal(trees.writeTree(owned), text.replace("1.10", '1.10, "owner": "Mara Lindqvist"'));
    assert.equal(trees.writeTree(flags.withMetadata(owned, "owner", undefined)), text);
    const bare = /** @type {any} */ (trees.readTree('{"state": "ENABLED"}'));
    assert.equal(
        trees.writeTree(flags.withMetadata(flags.withMetadata(bare, "kind", "release"), "kind", undefined)),
        '{"state": "ENABLED"}',
    );
});

Deno.test("a definition that changes is read again, with and without the draft", () => {
    /** @param {string} state */
    const text = (state) => `{"state": "${state}", "variants": {}}`;
    /** @type {any} */
    const row = { key: "a", entry: { full: true, text: text("ENABLED") }, change: undefined };
    assert.equal(flags.definitionOf(row)?.get("state"), "ENABLED");
    assert.equal(flags.definitionOf(row), flags.definitionOf(row), "the second time, no text is parsed");
    row.change = { before: null, after: { value: text("DISABLED") } };
    assert.equal(flags.definitionOf(row)?.get("state"), "DISABLED");
    row.change = { before: null, after: { value: "[]" } };
    assert.equal(flags.definitionOf(row), undefined);
    row.change = undefined;
    row.entry.full = false;
    assert.equal(flags.definitionOf(row), undefined);
});
