/** The dialog with the full sync status: pending notes, and notes that the server refuses. */
import { openDialog } from "../../shared/dialog.js";
import { button, fill, h, userText } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { fileProblem } from "../problem-words.js";
import { routeFragment } from "../route.js";
import { summed } from "../status.js";

/** @import { Context } from "../frame.js" */
/** @import { State, Summary } from "../engine/types.js" */

/** @param {Pick<Context, "engine" | "environment" | "texts" | "unsaved" | "fail">} context */
export function openStatusDialog(context) {
    const { engine, texts, unsaved } = context;
    const closing = new AbortController();
    const { signal } = closing;
    const line = h("p", { class: "status-line", role: "status" });
    const facts = h("dl", { class: "facts" });
    const refused = h("div", { class: "parked" });
    const parked = h("div", { class: "parked" });
    const render = () => {
        const state = engine.state();
        fill(line, summed(texts, state, texts.now, unsaved.refused.length).text);
        fill(facts, factsOf(texts, state));
        fill(
            refused,
            unsavedNotes(context, () => dialog.close()),
        );
    };
    const list = async () =>
        fill(parked, await parkedNotes(context, list, () => dialog.close()), await refusedFiles(context));
    engine.addEventListener("state", render, { signal });
    engine.addEventListener("changed", list, { signal });
    engine.addEventListener("attachments", list, { signal });
    unsaved.addEventListener("changed", render, { signal });
    const check = h(
        "button",
        { type: "button", onclick: () => syncNow(context) },
        icon("sync"),
        texts.say("status.check"),
    );
    const words = ["inThisTab", "onThisDevice", "onServer", "needsAttention"].map((status) =>
        h("div", {}, h("dt", {}, texts.say(`status.${status}`)), h("dd", {}, texts.say(`status.${status}.means`))),
    );
    const legend = h("details", {}, h("summary", {}, texts.say("status.legend")), h("dl", { class: "legend" }, words));
    const dialog = openDialog(texts, {
        title: texts.say("status.title"),
        body: [line, facts, refused, parked, legend],
        actions: check,
        cancel: null,
        onClose: () => closing.abort(),
    });
    render();
    list();
}

/** @param {Pick<Context, "engine" | "fail">} context */
export function syncNow({ engine, fail }) {
    engine.syncNow().catch(fail);
}

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {State} state
 */
export function factsOf(texts, state) {
    const checked = state.lastFullCheck === null ? "" : texts.relative(new Date(state.lastFullCheck).toISOString());
    const again = state.retryAt !== null && state.retryAt > texts.now() ? new Date(state.retryAt).toISOString() : "";
    /** @type {[string, string][]} */
    const rows = [
        ["status.fact.pending", texts.number(state.pending)],
        ["file.fact", texts.number(state.files + state.refusedFiles)],
        ["status.fact.check", checked || texts.say("status.fact.never")],
        ["status.fact.live", texts.say(state.live ? "status.fact.live.yes" : "status.fact.live.no")],
    ];
    if (again) rows.push(["status.fact.retry", texts.relative(again)]);
    if (state.problem) rows.push(["status.fact.problem", state.problem]);
    return rows.map(([label, value]) => h("div", {}, h("dt", {}, texts.say(label)), h("dd", {}, userText(value))));
}

/**
 * Lists the notes with text that exists only in this tab.
 * @param {Pick<Context, "environment" | "texts" | "unsaved">} context
 * @param {() => void} leave closes the dialog
 */
function unsavedNotes({ environment, texts, unsaved }, leave) {
    const notes = unsaved.refused;
    if (notes.length === 0) return [];
    const rows = notes.map(({ id, name }) => {
        const href = routeFragment({ environment, note: id });
        return h("li", {}, h("strong", {}, h("a", { href, onclick: leave }, userText(name))));
    });
    return [
        h("h3", {}, texts.say("status.inThisTab")),
        h("p", {}, texts.say("status.unsaved.lead")),
        h("ul", {}, rows),
    ];
}

/**
 * Lists the notes that the server refuses, each with its actions.
 * @param {Pick<Context, "engine" | "environment" | "texts" | "fail">} context
 * @param {() => void} again rebuilds the list
 * @param {() => void} leave closes the dialog
 */
async function parkedNotes({ engine, environment, texts, fail }, again, leave) {
    if (engine.state().attention === 0) return [];
    const notes = await notesInNeed(engine).catch((failure) => {
        fail(failure);
        return [];
    });
    /** @param {() => Promise<unknown>} act */
    const does = (act) => async () => {
        try {
            await act();
        } catch (failure) {
            fail(failure);
        }
        again();
    };
    const rows = notes.map(({ id, title, excerpt, problem, place }) => {
        const name = title || excerpt || texts.say("frame.untitled");
        const href = routeFragment({ environment, place, note: id });
        const label = h("a", { href, onclick: leave }, userText(name));
        const keep = does(() => engine.keepAsNew(id));
        const drop = does(() => engine.discardChange(id));
        return h(
            "li",
            {},
            h("strong", {}, label),
            h("p", { class: "hint" }, problem ? userText(wording(texts, problem)) : texts.say("status.refused")),
            h(
                "div",
                { class: "ways" },
                button(texts.say("status.keep"), keep),
                button(texts.say("status.drop"), drop, "danger"),
            ),
        );
    });
    return [h("h3", {}, texts.say("status.parked")), h("p", {}, texts.say("status.parked.lead")), h("ul", {}, rows)];
}

/** Lists the files that the server refuses, each with its actions. @param {Pick<Context, "engine" | "texts" | "fail">} context */
async function refusedFiles({ engine, texts, fail }) {
    const unsent = await engine.unsentAttachments().catch(() => []);
    const refused = unsent.filter(({ state }) => state === "refused");
    if (refused.length === 0) return [];
    const rows = refused.map(({ id, name, problem }) =>
        h(
            "li",
            {},
            h("strong", {}, userText(name)),
            h("p", { class: "hint" }, fileProblem(texts, problem)),
            h(
                "div",
                { class: "ways" },
                button(texts.say("retry"), () => engine.resendAttachment(id).catch(fail)),
                button(texts.say("file.discard"), () => engine.discardAttachment(id).catch(fail), "danger"),
            ),
        ),
    );
    return [h("p", {}, texts.say("file.status.lead")), h("ul", {}, rows)];
}

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {any} problem
 */
function wording(texts, problem) {
    const kind = String(problem.type ?? "").replace("urn:almanac:problem:", "");
    if (texts.has(`problem.${kind}`)) return texts.say(`problem.${kind}`);
    return String(problem.detail || problem.title || kind);
}

/** @param {Context["engine"]} engine */
async function notesInNeed(engine) {
    /** @type {Summary[]} */
    const found = [];
    for await (const summary of engine.allSummaries()) if (summary.status === "needsAttention") found.push(summary);
    return found;
}
