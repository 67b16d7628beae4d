/** The import of another flag system's files: the report, the conflicts and the draft. It is loaded on demand. */
import { button, fill, h, icon, userText } from "../../shared/dom.js";
import { readable } from "../changes/difference.js";
import { errorMessage, keyLink, table } from "../controls/controls.js";
import { review } from "../entries/draft-review.js";
import { isOfFlags } from "../state/entries.js";
import { routeFragment } from "../state/route.js";
import { mayWrite } from "../state/scopes.js";
import { systems } from "../state/source-systems.js";
import { byKey, countsOf, editsOf, importBody, linesOf, verdicts } from "../state/translations.js";
import { sources as english } from "../texts/sources.en.js";
import { readConfig } from "./compare-screen.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/translations.js").Translation} Translation */
/** @typedef {import("../state/translations.js").Verdict} Verdict */
/** @typedef {{ name: string, text: string }} SourceFile */

/** The number of lines of the report shown at first. */
const pageSize = 50;
/** The delay before a skeleton stands for the report, in milliseconds. */
const skeletonDelay = 300;
/** The styles of the verdicts, and their icons. */
const marks = /** @type {const} */ ({
    exact: ["added", "check"],
    differs: ["conflict", "alert"],
    cannot: ["removed", "close"],
});

/** @param {import("../../shared/texts.js").Texts} texts */
export async function addTexts(texts) {
    texts.add(texts.language === "de" ? (await import("../texts/sources.de.js")).sources : english);
}

/**
 * Creates the command that imports the files without the page.
 * @param {Context} context
 * @param {string} system
 * @param {SourceFile[]} files
 * @param {string} why a key of the texts
 */
export const commandView = ({ texts, environment }, system, files, why) =>
    h(
        "div",
        { class: "source" },
        errorMessage(texts.say(why), "alert"),
        h(
            "code",
            { class: "command", dir: "ltr" },
            `almanac import ${system || "SYSTEM"} ${files.map(({ name }) => name).join(" ")} --environment ${environment.name} --dry-run`,
        ),
    );

/**
 * Translates files, and shows the report and the way into the draft.
 * @param {Context} context its signal ends when other files are chosen
 * @param {string} system
 * @param {SourceFile[]} files
 * @param {string} from the name of the environment in the files, or empty
 */
export function sourceImport(context, system, files, from) {
    const { api, texts, workspace, environment, messageOf, navigate, signal } = context;
    const { draft } = workspace;
    const element = h("div", { class: "source" });
    /** The winners of conflicts by key. @type {Map<string, import("../state/translations.js").Side>} */
    const sides = new Map();
    /** The translation before a side was chosen. @type {Translation} */
    let translation;
    /** The changes; null until each conflict has a winner. @type {Translation["changes"] | null} */
    let changes = null;
    /** @type {ReadonlyMap<string, import("../state/draft.js").Content>} */
    let config = new Map();
    /** Removes the imported changes from the draft. @type {(() => void) | null} */
    let takeBack = null;
    const actions = h("div", { class: "source", role: "status" });
    const writable = (/** @type {string} */ key) => mayWrite(environment.session.scopes, key);
    const showFailure = (/** @type {unknown} */ failure, place = element) =>
        !signal.aborted && fill(place, errorMessage(userText(messageOf(failure)), "alert"));

    /** @param {typeof sides} winners @returns {Promise<Translation>} */
    const translate = async (winners) => {
        const question = { query: { from: from || undefined }, body: importBody(files, winners), signal };
        return (await api.send("POST", `${workspace.root}/imports/${system}`, question)).document;
    };
    const load = async () => {
        const wait = setTimeout(() => fill(element, waiting()), skeletonDelay);
        try {
            const found = await Promise.all([translate(new Map()), readConfig(api, environment.name, signal)]);
            [translation, { config }] = found;
            changes = translation.conflicts.length > 0 ? null : translation.changes;
            if (signal.aborted) return;
            show();
            if (changes === null) await resolve();
        } catch (failure) {
            showFailure(failure);
        } finally {
            clearTimeout(wait);
        }
    };
    /** Translates again once each conflict has a winner. */
    const resolve = async () => {
        changes = null;
        drawActions();
        if (openCount() > 0) return;
        try {
            const chosen = JSON.stringify([...sides]);
            const resolved = await translate(sides);
            if (chosen !== JSON.stringify([...sides])) return;
            changes = resolved.changes;
            drawActions();
        } catch (failure) {
            showFailure(failure, actions);
        }
    };
    const openCount = () => [...byKey(translation.conflicts).keys()].filter((key) => !sides.has(key)).length;
    const waiting = () =>
        h(
            "div",
            { class: "skeletons", role: "status", "aria-busy": "true", "aria-label": texts.say("loading") },
            Array.from({ length: 6 }, () => h("div", { class: "skeleton" })),
        );
    const show = () => {
        drawActions();
        fill(
            element,
            reportView(texts, system, translation),
            translation.renamed.length > 0 && renamedView(texts, translation.renamed),
            translation.conflicts.length > 0 && conflictsView(),
            keysView("source.gone", translation.gone),
            keysView("source.stale", translation.stale),
            keysView("source.gone.here", translation.removed),
            actions,
        );
    };
    /** Lists flags of an earlier import that stay. @param {string} title a key of the texts @param {string[]} keys */
    const keysView = (title, keys) =>
        keys.length > 0 &&
        h(
            "details",
            {},
            h("summary", {}, texts.say(title, { n: keys.length })),
            h(
                "ul",
                { class: "change-list" },
                keys.map((key) => h("li", {}, keyLink(environment.name, key))),
            ),
        );

    const conflictsView = () => {
        const groups = [...byKey(translation.conflicts)];
        const all = (/** @type {import("../state/translations.js").Side} */ side) => () => {
            for (const [key] of groups) sides.set(key, side);
            show();
            resolve();
        };
        return h(
            "section",
            { class: "source", "aria-labelledby": "source-conflicts" },
            h("h3", { id: "source-conflicts" }, texts.say("source.conflicts", { n: groups.length })),
            h("p", { class: "hint" }, texts.say("source.conflicts.lead")),
            groups.length > 1 &&
                h(
                    "div",
                    { class: "actions" },
                    button(texts.say("source.mine.all"), all("mine")),
                    button(texts.say("source.theirs.all"), all("theirs")),
                ),
            groups.map(([key, parts]) => conflictBox(key, parts)),
        );
    };
    /** @param {string} key @param {Translation["conflicts"]} parts */
    const conflictBox = (key, parts) => {
        const option = (/** @type {import("../state/translations.js").Side} */ side) => {
            const radio = h("input", {
                type: "radio",
                name: `conflict ${key}`,
                checked: sides.get(key) === side,
                onchange: () => {
                    sides.set(key, side);
                    resolve();
                },
            });
            return h("label", { class: "tick" }, radio, texts.say(`source.${side}`));
        };
        const value = (/** @type {string} */ text, /** @type {string} */ label) =>
            h(
                "div",
                {},
                h("small", {}, texts.say(label)),
                h("pre", { class: "source-value", tabindex: "0" }, text === "null" ? "–" : userText(readable(text))),
            );
        return h(
            "fieldset",
            { class: "source-conflict" },
            h("legend", {}, keyLink(environment.name, key)),
            parts.map(({ part, before, after }) =>
                h(
                    "div",
                    { class: "source-part" },
                    part && h("h4", {}, userText(part)),
                    h("div", { class: "source-sides" }, value(before, "source.here"), value(after, "source.there")),
                ),
            ),
            h("div", { class: "source-sides" }, option("mine"), option("theirs")),
        );
    };

    const drawActions = () => {
        const open = openCount();
        const { edits, closed } = editsOf(changes ?? [], config, writable);
        const n = edits.length;
        const isStaged = takeBack !== null;
        fill(
            actions,
            closed.length > 0 && errorMessage(texts.say("import.closed", { n: closed.length })),
            changes && n === 0 && h("p", { class: "empty" }, texts.say("source.equal")),
            isStaged && h("p", { class: "hint" }, icon("check"), " ", texts.say("source.staged")),
            open > 0 && errorMessage(texts.say("source.choose", { n: open })),
            n > 0 &&
                h(
                    "div",
                    { class: "actions" },
                    isStaged && button(texts.say("source.unstage"), unstage, "quiet", "undo"),
                    button(texts.say("source.review", { n }), () => stage(edits), "primary"),
                ),
        );
    };
    const unstage = () => {
        takeBack?.();
        takeBack = null;
        drawActions();
    };
    /** Puts edits into the draft, and opens its review. @param {import("../state/draft.js").Edit[]} edits */
    const stage = (edits) => {
        takeBack?.();
        takeBack = draft.editAll(edits);
        const n = edits.filter(([, , after]) => after?.kind === "flag").length || edits.length;
        if (!draft.draft.message) draft.setMessage(texts.say("source.message", { n, system: systems[system] }));
        drawActions();
        const target = (/** @type {string} */ key) => (isOfFlags(draft.change(key)?.after?.kind) ? "flags" : "entries");
        review(context, {
            open: (key) => navigate(routeFragment({ environment: environment.name, screen: target(key), path: [key] })),
            introduce: () => {},
            warn: (text) => text && actions.prepend(errorMessage(text, "alert")),
            loadFlagReview: async (...more) => (await import("./flags-screen.js")).loadFlagReview(...more),
        });
    };
    // After the release of the draft, the files must change nothing more. Other releases keep the chosen sides.
    workspace.addEventListener(
        "release",
        () => {
            takeBack = null;
            load();
        },
        { signal },
    );
    load();
    return element;
}

/**
 * Shows the report: the number of each verdict, and a line for each flag.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {string} system
 * @param {Translation} translation
 */
function reportView(texts, system, { report }) {
    const counts = countsOf(report);
    /** @type {Set<Verdict>} */
    const wanted = new Set(verdicts);
    let limit = pageSize;
    const place = h("div", { class: "source" });
    const chips = h("div", { class: "chips", role: "group", "aria-label": texts.say("filter.title") });
    const chip = (/** @type {Verdict} */ verdict) => {
        const press = () => {
            if (!wanted.delete(verdict)) wanted.add(verdict);
            draw();
            /** @type {HTMLElement | null} */ (chips.querySelector(`.verdict-${verdict}`))?.focus();
        };
        const attributes = {
            type: "button",
            class: `chip verdict-${verdict}`,
            "aria-pressed": String(wanted.has(verdict)),
            onclick: press,
        };
        return h("button", attributes, texts.say(`source.${verdict}.count`, { n: counts[verdict] }));
    };
    const draw = () => {
        const lines = linesOf(report, wanted);
        const more = () => {
            limit *= 4;
            draw();
        };
        fill(chips, verdicts.filter((verdict) => counts[verdict] > 0).map(chip));
        fill(
            place,
            lines.length > 0 &&
                h(
                    "div",
                    { class: "table-box" },
                    table(
                        texts,
                        "source.report",
                        ["source.flag", "source.verdict", "source.why"],
                        lines.slice(0, limit).map((line) => reportLine(texts, line)),
                    ),
                ),
            lines.length > limit && button(texts.say("more.show"), more, "quiet", "down"),
        );
    };
    draw();
    return h(
        "section",
        { class: "source", "aria-labelledby": "source-report" },
        h("h3", { id: "source-report" }, texts.say("source.found", { n: report.length, system: systems[system] })),
        chips,
        place,
    );
}

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {import("../state/translations.js").Line} line
 */
function reportLine(texts, { source, key, verdict, when = [], reason, pointer }) {
    const [style, sign] = marks[verdict];
    return h(
        "tr",
        {},
        h(
            "th",
            { scope: "row" },
            userText(source),
            key !== null && key !== source && h("small", {}, texts.parts("source.renamed.key", { key })),
        ),
        h(
            "td",
            { class: "source-verdict" },
            h("span", { class: `badge ${style}` }, icon(sign), texts.say(`source.${verdict}`)),
        ),
        h(
            "td",
            { class: "source-reasons" },
            verdict === "exact" ? "–" : null,
            reason && h("p", {}, userText(reason)),
            when.map((one) => h("p", {}, texts.parts("source.when", { when: one }))),
            verdict !== "exact" && pointer && h("small", {}, h("code", { dir: "ltr" }, pointer)),
        ),
    );
}

/**
 * Lists the attributes that apps must send under another name.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {Translation["renamed"]} renamed
 */
const renamedView = (texts, renamed) =>
    h(
        "section",
        { class: "source", "aria-labelledby": "source-renamed" },
        h("h3", { id: "source-renamed" }, texts.say("source.renamed")),
        h("p", { class: "hint" }, texts.say("source.renamed.lead")),
        h(
            "div",
            { class: "table-box" },
            table(
                texts,
                "source.renamed",
                ["source.there", "source.name"],
                renamed.map(({ source, attribute }) =>
                    h("tr", {}, h("th", { scope: "row" }, userText(source)), h("td", {}, h("code", {}, attribute))),
                ),
            ),
        ),
    );
