import { edit, noDraft } from "../../../Sources/Web/console/state/draft.js";
import { EntryTable, readEntry } from "../../../Sources/Web/console/state/entries.js";
import { Filter, readQuery, searchTextOf } from "../../../Sources/Web/console/state/filter.js";
import { Conversion, converted, faultOf, keyFault, kindOf, refusal } from "../../../Sources/Web/console/state/kinds.js";
import { readLink, readRoute, routeFragment } from "../../../Sources/Web/console/state/route.js";
import { allows, mayWrite } from "../../../Sources/Web/console/state/scopes.js";
import { movedKey, sharedPath, treeLines } from "../../../Sources/Web/console/state/tree.js";
import { equal, random } from "./checks.js";

/** @param {string} key @param {string} value */
const entry = (key, value, description = "", author = "", updated_at = "2026-01-01T00:00:00.000Z") =>
    readEntry({
        key,
        type: value[0] === '"' ? "string" : value[0] === "{" ? "object" : "number",
        bytes: value.length,
        value,
        description,
        updated_at,
        revision: 1,
        author,
    });

/** @param {import("../../../Sources/Web/console/state/draft.js").Changes} [changes] */
function table(changes = {}) {
    const made = new EntryTable();
    made.fill(
        [
            entry("app.theme", '"Dark \\"night\\""', "Colours", "Mara", "2026-01-03T00:00:00.000Z"),
            entry("app.title", '"Hello"', "Shown first", "Jonas", "2026-01-02T00:00:00.000Z"),
            entry("limits.retries", "3", "How often", "Mara"),
            entry("zoo", '{"app":"theme"}'),
        ],
        changes,
    );
    return made;
}

/** @param {string} query @param {import("../../../Sources/Web/console/state/draft.js").Changes} [changes] */
const found = (query, changes) => new Filter().run(table(changes), query, "key").map((row) => row.key);

Deno.test("a filter looks into keys, values and descriptions, whatever the case", () => {
    equal(found("THEME"), ["app.theme", "zoo"]);
    equal(found("shown"), ["app.title"]);
    equal(found('night"'), ["app.theme"]);
    equal(found("app hello"), ["app.title"]);
    equal(found("app -hello"), ["app.theme", "zoo"]);
    equal(found('"shown first"'), ["app.title"]);
});

Deno.test("a filter looks into one field", () => {
    equal(found("key:theme"), ["app.theme"]);
    equal(found("value:theme"), ["zoo"]);
    equal(found("desc:often"), ["limits.retries"]);
    equal(found("type:number"), ["limits.retries"]);
    equal(found("type:json"), ["zoo"]);
    equal(found("type:text"), ["app.theme", "app.title"]);
    equal(found("by:mara"), ["app.theme", "limits.retries"]);
    equal(readQuery('key:"a b" -type:object x').length, 3);
});

Deno.test("a filter finds the tags of flags by their beginnings", () => {
    const made = new EntryTable();
    const flag = (/** @type {string} */ metadata) => `{"state":"ENABLED","metadata":${metadata}}`;
    const values = { ios: '{"tags": "shop, iOS beta"}', studios: '{"tags":"studios"}', none: '{"owner":"ios"}' };
    made.fill(
        Object.entries(values).map(([key, metadata]) => entry(key, flag(metadata))),
        {},
    );
    const filter = new Filter();
    const run = (/** @type {string} */ query) => filter.run(made, query, "key").map(({ key }) => key);
    equal(run("tag:os"), []);
    equal(run("tag:ios"), ["ios"]);
    equal(run("tag:beta"), ["ios"]);
    equal(run('tag:"ios be"'), ["ios"]);
    equal(run("tag:stu -tag:ios"), ["studios"]);
    equal(run("-tag:ios"), ["none", "studios"]);
    equal(run("tag:undefined"), []);
});

Deno.test("a filter finds the kinds of the form, and takes a truncated string for a text", () => {
    const made = new EntryTable();
    const start = "2026-12-01T18:00:00Z to 2026-12-24T14:00:00Z";
    const values = { accent: '"#1D7A46"', begins: '"2026-12-01T18:00:00Z"', help: '"https://marigold.example/help"' };
    const entries = Object.entries(values).map(([key, value]) => entry(`sale.${key}`, value));
    const summary = { key: "sale.notes", type: "string", bytes: 900, preview: `"${start}`, updated_at: "t" };
    const change = { before: null, after: { value: '"2026-12-24"', description: "" } };
    made.fill([...entries, readEntry(summary)], { "sale.ends": change });
    const run = (/** @type {string} */ query) => new Filter().run(made, query, "key").map(({ key }) => key);
    equal(run("type:color"), ["sale.accent"]);
    equal(run("type:date"), ["sale.begins", "sale.ends"]);
    equal(run("type:link"), ["sale.help"]);
    equal(run("type:text"), ["sale.notes"]);
    equal(run("type:string").length, 5);
});

Deno.test("a filter sees the draft instead of what it changes", () => {
    let draft = edit(
        noDraft,
        "app.title",
        { value: '"Hello"', description: "Shown first" },
        { value: '"Servus"', description: "" },
    );
    draft = edit(draft, "new.key", null, { value: "true", description: "" });
    equal(found("servus", draft.changes), ["app.title"]);
    equal(found("hello", draft.changes), []);
    equal(found("is:draft", draft.changes), ["app.title", "new.key"]);
    equal(found("is:added", draft.changes), ["new.key"]);
});

Deno.test("narrowing finds the same as looking anew", () => {
    const next = random(3);
    const made = table();
    const words = [
        "a",
        "ap",
        "app",
        "t",
        "th",
        "the",
        "-the",
        "type:n",
        "type:number",
        "key:a",
        "key:ap",
        "h",
        "i",
        "desc:s",
        "is:draft",
        '"',
    ];
    const kept = new Filter();
    for (let run = 0; run < 3000; run += 1) {
        const query = Array.from({ length: next(3) + 1 }, () => words[next(words.length)])
            .join(" ")
            .slice(0, next(20) + 1);
        const order = /** @type {const} */ (["key", "changed"])[next(2)];
        const keys = (/** @type {Filter} */ filter) => filter.run(made, query, order).map((row) => row.key);
        equal([query, keys(kept)], [query, keys(new Filter())]);
    }
});

Deno.test("keys that the server found are found, for that text only", () => {
    const filter = new Filter();
    const made = table();
    equal(filter.run(made, "far", "key", new Set(["zoo"])).length, 1);
    equal(filter.run(made, "far zoo", "key").length, 0);
});

Deno.test("orders: newest first, and what the draft adds before all", () => {
    const draft = edit(noDraft, "b", null, { value: "1", description: "" });
    equal(
        new Filter()
            .run(table(draft.changes), "", "changed")
            .map((row) => row.key)
            .slice(0, 3),
        ["b", "app.theme", "app.title"],
    );
});

Deno.test("the table follows entries and draft one by one", () => {
    const made = table();
    made.setChange("new", { before: null, after: { value: "1", description: "" } });
    made.setEntry("zoo", null);
    made.setEntry("app.name", entry("app.name", '"x"'));
    equal(
        made.rows.map((row) => row.key),
        ["app.name", "app.theme", "app.title", "limits.retries", "new"],
    );
    made.setChange("new", undefined);
    equal([made.rows.length, made.count], [4, 4]);
});

Deno.test("a value that is completed is found, and stays with the next summary", () => {
    const made = new EntryTable();
    const short = readEntry({
        key: "a",
        type: "string",
        bytes: 900,
        preview: '"begin',
        description: "",
        updated_at: "t1",
        revision: 1,
        author: "",
    });
    made.fill([short], {});
    searchTextOf(made.rows[0]);
    made.complete("a", '"begin and end"', "t0");
    equal(made.rows[0].entry?.full, false);
    made.complete("a", '"begin and end"', "t1");
    equal(new Filter().run(made, "and end", "key").length, 1);
    made.fill([{ ...short, text: '"begin', full: false }], {});
    equal(made.rows[0].entry?.text, '"begin and end"');
    made.fill([{ ...short, text: '"begun', full: false, updated_at: "t2" }], {});
    equal(made.rows[0].entry?.text, '"begun');
});

Deno.test("a tree groups by dots and draws single ways together", () => {
    const made = new EntryTable();
    made.fill(
        ["a.b.c.x", "a.b.c.y", "a.b.d", "a-b", "solo.deep.key"].map((key) => entry(key, "1")),
        {},
    );
    const lines = treeLines(made.rows, () => true).map(
        (line) => `${" ".repeat(line.depth)}${line.label}${line.kind === "group" ? line.count : ""}`,
    );
    equal(lines, ["a-b", "a.b.3", " c.2", "  x", "  y", " d", "solo.deep.key"]);
    equal(treeLines(made.rows, () => false).length, 3);
});

Deno.test("a kind that is changed back restores the value, also on a later visit", () => {
    const json = '{"a": 1.10}';
    equal(new Conversion(json, "false").convert("switch", "false", "json"), json);
    equal(new Conversion(json, JSON.stringify('{\n  "a": 1.10\n}')).convert("text", '"edited"', "json"), '"edited"');
    equal(new Conversion("12.50", '"12.50"').convert("text", '"12.50"', "number"), "12.50");
    equal(new Conversion('"#FFF"', "true").convert("switch", "true", "color"), '"true"');
    equal(new Conversion(undefined, "true").convert("switch", "true", "number"), "1");
});

Deno.test("kinds by what a value looks like", () => {
    const kinds = [
        "true",
        "1.10",
        '"#FFB6C1"',
        '"#fff"',
        '"2026-12-01T18:00:00.000Z"',
        '"2026-12-01"',
        '"https://a.example/x"',
        '"#sale"',
        '"2026-99-99"',
        "{}",
        '"x"',
    ];
    equal(kinds.map(kindOf), [
        "switch",
        "number",
        "color",
        "color",
        "date",
        "date",
        "link",
        "text",
        "text",
        "json",
        "text",
    ]);
    equal(converted('"9007199254740993"', "number"), "9007199254740993");
    equal(converted("1.10", "text"), '"1.10"');
    equal(converted("true", "text"), '"true"');
    equal(converted('"yes"', "switch"), "true");
    equal(
        ['"[1.0]"', '"true"', '"12"', "12", '"Grüß Gott"', '""', '"null"'].map((text) => converted(text, "json")),
        ["[1.0]", "true", "12", "12", '"Grüß Gott"', "{}", '"null"'],
    );
    equal(
        ["true", "false", '" 12 "', '"noon"'].map((text) => converted(text, "number")),
        ["1", "0", "12", "0"],
    );
    equal(
        [faultOf("number", "1.10"), faultOf("number", "01"), faultOf("link", "javascript:alert(1)")],
        [null, "value.number.fault", "value.link.fault"],
    );
});

Deno.test("keys", () => {
    const taken = (/** @type {string} */ key) => key === "a";
    equal(
        ["", "a", "b", "1a", "a b", "ä", "x".repeat(129), "_flags"].map((key) => keyFault(key, taken)),
        ["key.empty", "key.taken", null, "key.start", "key.form", "key.start", "key.long", "key.reserved"],
    );
});

Deno.test("keys get another prefix, and those that exist are refused with their names", () => {
    const keys = ["shop.days", "shop.hours", "shop.title"];
    equal(sharedPath(keys[0], keys[2]), "shop.");
    equal(sharedPath("shop.days", "store.days"), "");
    const moved = keys.map((key) => movedKey(key, "shop.", "store."));
    equal(moved, ["store.days", "store.hours", "store.title"]);
    equal(movedKey("days", "", "shop."), "shop.days");
    const there = new Set(["store.days", "store.title"]);
    const fault = (/** @type {string} */ key) => keyFault(key, (one) => there.has(one));
    equal(refusal(moved, fault), ["key.taken", "store.days, store.title"]);
    equal(refusal(["store.hours"], fault), null);
    const many = Array.from({ length: 7 }, (_, at) => `1.shop${at}`);
    equal(refusal(many, fault), ["key.start", "1.shop0, 1.shop1, 1.shop2, 1.shop3, 1.shop4, …"]);
});

Deno.test("a key that the draft removes no longer exists, and a key that it adds does", () => {
    const removed = { before: { value: '"Hello"', description: "" }, after: null };
    const added = { before: null, after: { value: "true", description: "" } };
    const one = table({ "app.title": removed, "app.open": added });
    equal(
        ["app.title", "app.open", "app.theme", "constructor"].map((key) => one.has(key)),
        [false, true, true, false],
    );
});

Deno.test("routes are read as they were written", () => {
    const route = {
        environment: "staging",
        screen: "entries",
        path: ["app/odd?key#"],
        query: { q: "type:number a&b=c" },
    };
    equal(readRoute(routeFragment(route)), route);
    equal(readRoute("#/staging"), { environment: "staging", screen: "entries", path: [], query: {} });
    equal(readRoute("#/%E0%A4%A/x").environment, "%E0%A4%A");
    equal(readLink("#/open/development=a_b-c,staging=d"), [
        { environment: "development", code: "a_b-c" },
        { environment: "staging", code: "d" },
    ]);
    equal([readLink("#/open/"), readLink("#/development/entries"), readLink("#/open/x")], [[], [], []]);
});

Deno.test("scopes", () => {
    equal(
        [
            allows(["admin"], "config:write"),
            allows(["config:write"], "admin"),
            allows(["config:write:app.*"], "config:read"),
        ],
        [true, false, true],
    );
    equal(
        [
            mayWrite(["config:write:app.*"], "app.x"),
            mayWrite(["config:write:app.*"], "apx"),
            mayWrite(["config:write:a"], "a"),
            mayWrite(["config:read"], "a"),
        ],
        [true, false, true, false],
    );
});

Deno.test("a tree has every entry once, in order, and its groups count them", () => {
    const next = random(11);
    for (let run = 0; run < 300; run += 1) {
        const made = new EntryTable();
        const word = () => ["a", "b", "ab", "a-b"][next(4)];
        const keys = new Set(
            Array.from({ length: next(60) }, () => Array.from({ length: 1 + next(4) }, word).join(".")),
        );
        made.fill(
            [...keys].map((key) => entry(key, "1")),
            {},
        );
        const lines = treeLines(made.rows, () => true);
        const shown = lines.flatMap((line) => (line.kind === "entry" ? [line.row.key] : []));
        equal(shown, [...keys].sort());
        for (const line of lines) {
            if (line.kind === "group") equal(line.count, shown.filter((key) => key.startsWith(line.path)).length);
        }
    }
});

Deno.test("a filter finds what came into the page after it was typed, and what it found before", () => {
    const made = new EntryTable();
    const long = { ...readEntry({ key: "long", type: "string", bytes: 9, preview: '"near', updated_at: "t" }) };
    made.fill([long, { ...long, key: "short", text: '"near"', full: true }], {});
    const filter = new Filter();
    const run = (/** @type {string} */ text) => filter.run(made, text, "key");
    equal(run("far").length, 0);
    made.complete("long", '"near and far"', "t");
    equal(run("far").length, 1);
    const near = run("near");
    equal(near.length, 2);
    equal(run("near far").length, 1);
    equal(run("near") === near, true);
    equal(run("ne") === made.rows, true);
});
