import assert from "node:assert/strict";
import { access as accessGerman } from "../../../Sources/Web/console/texts/access.de.js";
import { access as accessEnglish } from "../../../Sources/Web/console/texts/access.en.js";
import { administration as administrationGerman } from "../../../Sources/Web/console/texts/administration.de.js";
import { administration as administrationEnglish } from "../../../Sources/Web/console/texts/administration.en.js";
import { de as consoleGerman } from "../../../Sources/Web/console/texts/de.js";
import { en as consoleEnglish } from "../../../Sources/Web/console/texts/en.js";
import { firstMinutes as firstGerman } from "../../../Sources/Web/console/texts/first-minutes.de.js";
import { firstMinutes as firstEnglish } from "../../../Sources/Web/console/texts/first-minutes.en.js";
import { flags as flagsGerman } from "../../../Sources/Web/console/texts/flags.de.js";
import { flags as flagsEnglish } from "../../../Sources/Web/console/texts/flags.en.js";
import { hooks as hooksGerman } from "../../../Sources/Web/console/texts/hooks.de.js";
import { hooks as hooksEnglish } from "../../../Sources/Web/console/texts/hooks.en.js";
import { proposals as proposalsGerman } from "../../../Sources/Web/console/texts/proposals.de.js";
import { proposals as proposalsEnglish } from "../../../Sources/Web/console/texts/proposals.en.js";
import { releases as releasesGerman } from "../../../Sources/Web/console/texts/releases.de.js";
import { releases as releasesEnglish } from "../../../Sources/Web/console/texts/releases.en.js";
import { sources as sourcesGerman } from "../../../Sources/Web/console/texts/sources.de.js";
import { sources as sourcesEnglish } from "../../../Sources/Web/console/texts/sources.en.js";
import { de as notesGerman } from "../../../Sources/Web/notes/texts/de.js";
import { en as notesEnglish } from "../../../Sources/Web/notes/texts/en.js";
import { buttonKeys, missingKeys, noticeKeys, readModules, unusedKeys } from "./text-keys.js";

/** @typedef {import("../../../Sources/Web/shared/texts.js").Message} Message */
/** @typedef {Record<string, Message>} Table */

/**
 * The tables of each program by language, including parts loaded on demand.
 * @type {Record<string, { en: Table, de: Table }>}
 */
const programs = {
    console: {
        en: {
            ...consoleEnglish,
            ...firstEnglish,
            ...flagsEnglish,
            ...releasesEnglish,
            ...proposalsEnglish,
            ...hooksEnglish,
            ...administrationEnglish,
            ...accessEnglish,
            ...sourcesEnglish,
        },
        de: {
            ...consoleGerman,
            ...firstGerman,
            ...flagsGerman,
            ...releasesGerman,
            ...proposalsGerman,
            ...hooksGerman,
            ...administrationGerman,
            ...accessGerman,
            ...sourcesGerman,
        },
    },
    notes: { en: notesEnglish, de: notesGerman },
};
const longestButton = 60;

/** Patterns that no text may match, with the preferred wording. @type {Record<string, [RegExp, string][]>} */
const wrongWords = {
    en: [
        [/ …/, "… joins its word"],
        [/['"]/, "typographic quotes and apostrophes"],
        [/\b(?:some|every)body\b/i, "someone, everyone"],
        [/\bmay not\b|\byou may\b/i, "can, can’t, don’t have permission to"],
        [/\banew\b/i, "again"],
        [/\bmeanwhile\b/i, "in the meantime, just"],
        [/\bchosen\b|\bChoose several\b/i, "selected, Select"],
        [/\bgoes\b/i, "is removed, is deleted"],
        [/\b(?:any more|for good|by itself|let go)\b/i, "no longer, permanently, automatically, discard"],
        [
            /\b(?:is|are|was|were|do|does|did|has|have|could|would|should|will|can) ?not\b.|\b(?:it|you|they) (?:is|are) /i,
            "contract",
        ],
        [/^Make\b|^End$|^Say\b/, "Create, End session, Enter, Choose"],
        [/\b(?:left out|comes? in|as the system|no UTF-8|by hand)\b/i, "skipped, imported, System, not UTF-8, Manual"],
        [/\bnewest\b/i, "latest"],
    ],
    de: [
        [/[^ ]…/, "a space before …"],
        [/['"”]/, "typographic quotes and apostrophes"],
        [/\b(?:der|den|einen|dieser|diesen|jeder|kein gültiger) Token\b/i, "das Token"],
        [/noch einmal versuch|versuche es noch einmal/i, "versuche es erneut"],
        [/abgeglichen|abgleichen/i, "synchronisiert"],
        [/zurücknehmen|zurückgenommen|ungeschehen/i, "rückgängig machen"],
        [/für immer|unwiderruflich/i, "endgültig"],
        [/\bMajors\b|Major-Version/i, "Hauptversion"],
        [/bleib(?:t|en) weg|kommt? herein/i, "übersprungen, importiert"],
    ],
};

/** @param {Message} message */
const formsOf = (message) => (typeof message === "string" ? [message] : Object.values(message));

/** @param {Message | undefined} message */
const slots = (message) =>
    [...new Set(formsOf(message ?? "").flatMap((form) => form.match(/\{[a-z]+\}/g) ?? []))].sort();

/** Returns the texts with unwanted words. @param {string} language @param {Table} table */
function wrongTexts(language, table) {
    return Object.entries(table).flatMap(([key, message]) =>
        formsOf(message).flatMap((form) =>
            wrongWords[language]
                .filter(([pattern]) => pattern.test(form))
                .map(([, better]) => `${key}: ${form} (${better})`),
        ),
    );
}

/** Returns labels that are too long or end like a sentence. @param {Table} table @param {Set<string>} keys */
function wrongButtons(table, keys) {
    return [...keys].flatMap((key) =>
        formsOf(table[key] ?? "")
            .filter((form) => form.length > longestButton || /[.?!:]$/.test(form))
            .map((form) => `${key}: ${form}`),
    );
}

Deno.test("every text that shared modules say is there in one of the programs", () => {
    const keys = Object.values(programs).flatMap(({ en }) => Object.keys(en));
    assert.deepEqual(missingKeys(new Set(keys), readModules("shared")), []);
});

// If an import has only one file, the remark about that file becomes the error message.
Deno.test("every reason to refuse an import has a text", () => {
    const found = readModules("notes/move").flatMap((module) => [
        ...module.matchAll(
            /MoveFailure\("([\w-]+)"|remarks\.push\(\{ source: (?:\w+\.)?(?:path|name)\b.*? what: "([\w-]+)"/g,
        ),
    ]);
    const reasons = [...new Set(found.map(([, failure, remark]) => failure ?? remark))];
    assert.ok(reasons.length > 8);
    assert.deepEqual(
        reasons.filter((reason) => !(`move.refused.${reason}` in notesEnglish)),
        [],
    );
});

for (const [program, { en, de }] of Object.entries(programs)) {
    Deno.test(`every text of ${program} is there in every language`, () =>
        assert.deepEqual(Object.keys(de).sort(), Object.keys(en).sort()));

    Deno.test(`a text of ${program} has the same slots in every language`, () => {
        for (const key of Object.keys(en)) assert.deepEqual([key, slots(de[key])], [key, slots(en[key])]);
    });

    Deno.test(`a text of ${program} that counts has a form for every number`, () => {
        for (const [language, table] of Object.entries({ en, de })) {
            const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
            for (const [key, message] of Object.entries(table))
                if (typeof message !== "string")
                    assert.deepEqual([language, key, Object.keys(message).sort()], [language, key, categories]);
        }
    });

    Deno.test(`every text of ${program} is used, and every one that is used is there`, () => {
        assert.deepEqual(unusedKeys(Object.keys(en), readModules(program, "shared")), []);
        assert.deepEqual(missingKeys(new Set(Object.keys(en)), readModules(program)), []);
    });

    Deno.test(`the texts of ${program} have no words that its users do not use`, () => {
        assert.deepEqual([...wrongTexts("en", en), ...wrongTexts("de", de)], []);
    });

    Deno.test(`the buttons of ${program} say in few words what they do`, () => {
        const keys = buttonKeys(readModules(program, "shared"));
        assert.ok(keys.size > 20);
        assert.deepEqual([...wrongButtons(en, keys), ...wrongButtons(de, keys)], []);
    });
}

// Errors need more words: what happened, and what to do.
Deno.test("the notices of the console have six words at most", () => {
    const errors = new Set([
        "entry.fixed",
        "key.scope",
        "draft.full",
        "flags.full",
        "bookmarks.refused",
        "screen.missing",
        "sign-in.link",
    ]);
    const keys = [...noticeKeys(readModules("console"))].filter((key) => !errors.has(key));
    assert.ok(keys.length > 12 && keys.includes("moves.done"));
    const names = keys.map((key) => new RegExp(`^${RegExp.escape(key).replace(/\\\$.*\}/, ".*")}$`));
    for (const table of Object.values(programs.console))
        for (const [key, message] of Object.entries(table))
            if (names.some((name) => name.test(key)))
                for (const form of formsOf(message)) assert.ok(form.split(" ").length <= 6, `${key}: ${form}`);
});

Deno.test("unused and missing keys, wrong words and long buttons are found", () => {
    const modules = [
        `say("a.one"); const label = "a.two"; say(\`b.\${name}.end\`); parts("none.here", {});`,
        'h("button", { onclick: () => say("a.three") }, say("a.one"));\nbutton(say(on ? "c.on" : "c.off"), () => say("a.two"));',
        'iconButton(texts, "up", "d.up", () => {});\nconst answer = { label: say("e.yes"), run }, key = { label: "e.key" };',
    ];
    assert.deepEqual(unusedKeys(["a.one", "a.two", "a.three", "b.x.end", "b.x", "d"], modules), ["b.x", "d"]);
    assert.deepEqual(missingKeys(new Set(["a.one", "a.two", "a.three", "e.yes"]), modules), ["none.here"]);
    assert.deepEqual([...buttonKeys(modules)], ["a.one", "c.on", "c.off", "d.up", "e.yes"]);
    assert.deepEqual(
        wrongTexts("en", { "flag.is.!=": "is not", a: "Retry …", b: { one: "It’s gone", other: "It cannot go" } }),
        ["a: Retry … (… joins its word)", "b: It cannot go (contract)"],
    );
    assert.deepEqual(wrongTexts("de", { a: "Lädt…", b: "Gib den Token ein", c: "Gib das Token ein" }).length, 2);
    assert.deepEqual(
        wrongButtons({ a: "Remove?", b: "Remove", c: "x".repeat(61) }, new Set(["a", "b", "c"])).length,
        2,
    );
});
