/** The status in full: what waits, what the server refuses, and what its user has to decide. */
import { openDialog } from "../../shared/dialog.js";
import { fill, foreign, h } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { routeFragment } from "../route.js";
import { summed } from "../status.js";

/** @import { Account, Frame } from "../frame.js" */
/** @import { State, Summary } from "../engine/types.js" */

const slice = 500;

/** @param {Frame} frame */
export function openStatus(frame) {
    const { texts, account } = frame;
    if (!account) return;
    const closing = new AbortController();
    const { signal } = closing;
    const line = h("p", { class: "status-line", role: "status" });
    const facts = h("dl", { class: "facts" });
    const unsaved = h("div", { class: "parked" });
    const parked = h("div", { class: "parked" });
    const tell = () => {
        const state = account.engine.state();
        fill(line, summed(texts, state, frame.now, frame.unsaved.refused.length).text);
        fill(facts, factsOf(frame, state));
        fill(
            unsaved,
            unsavedNotes(frame, account, () => dialog.close()),
        );
    };
    const list = async () => fill(parked, await parkedNotes(frame, account, list, () => dialog.close()));
    account.engine.addEventListener("state", tell, { signal });
    account.engine.addEventListener("changed", list, { signal });
    frame.unsaved.addEventListener("changed", tell, { signal });
    const check = h(
        "button",
        { type: "button", onclick: () => syncNow(frame) },
        icon("sync"),
        texts.say("status.check"),
    );
    const words = ["inThisTab", "onThisDevice", "onServer", "needsAttention"].map((status) =>
        h("div", {}, h("dt", {}, texts.say(`status.${status}`)), h("dd", {}, texts.say(`status.${status}.means`))),
    );
    const legend = h("details", {}, h("summary", {}, texts.say("status.legend")), h("dl", { class: "legend" }, words));
    const dialog = openDialog({
        title: texts.say("status.title"),
        body: [line, facts, unsaved, parked, legend],
        actions: [check],
        close: texts.say("close"),
        kind: "status",
        closed: () => closing.abort(),
    });
    tell();
    list();
}

/** @param {Frame} frame */
export function syncNow(frame) {
    frame.account?.engine.syncNow().catch((failure) => frame.fail(failure));
}

/**
 * @param {Frame} frame
 * @param {State} state
 */
export function factsOf({ texts, now }, state) {
    const checked = state.lastFullCheck === null ? "" : texts.relative(new Date(state.lastFullCheck).toISOString());
    const again = state.retryAt !== null && state.retryAt > now() ? new Date(state.retryAt).toISOString() : "";
    /** @type {[string, string][]} */
    const rows = [
        ["status.fact.pending", texts.number(state.pending)],
        ["status.fact.check", checked || texts.say("status.fact.never")],
        ["status.fact.live", texts.say(state.live ? "status.fact.live.yes" : "status.fact.live.no")],
    ];
    if (again) rows.push(["status.fact.retry", texts.relative(again)]);
    if (state.problem) rows.push(["status.fact.problem", state.problem]);
    return rows.map(([label, value]) => h("div", {}, h("dt", {}, texts.say(label)), h("dd", {}, foreign(value))));
}

/**
 * The notes with text that stands in this tab alone.
 * @param {Frame} frame
 * @param {Account} account
 * @param {() => void} leave closes what they are listed in
 */
function unsavedNotes({ texts, unsaved }, { environment }, leave) {
    const notes = unsaved.refused;
    if (notes.length === 0) return [];
    const rows = notes.map(({ id, name }) => {
        const href = routeFragment({ environment, note: id });
        return h("li", {}, h("strong", {}, h("a", { href, onclick: leave }, foreign(name))));
    });
    return [
        h("h3", {}, texts.say("status.inThisTab")),
        h("p", {}, texts.say("status.unsaved.lead")),
        h("ul", {}, rows),
    ];
}

/**
 * The notes whose change the server refuses, each with what can be done.
 * @param {Frame} frame
 * @param {Account} account
 * @param {() => void} again lists them anew
 * @param {() => void} leave closes what they are listed in
 */
async function parkedNotes(frame, account, again, leave) {
    const { texts } = frame;
    if (account.engine.state().attention === 0) return [];
    const notes = await notesInNeed(account).catch((failure) => {
        frame.fail(failure);
        return [];
    });
    /** @param {() => Promise<unknown>} act */
    const does = (act) => async () => {
        try {
            await act();
        } catch (failure) {
            frame.fail(failure);
        }
        again();
    };
    const rows = notes.map(({ id, title, excerpt, problem, place }) => {
        const name = title || excerpt || texts.say("frame.untitled");
        const href = routeFragment({ environment: account.environment, place, note: id });
        const label = h("a", { href, onclick: leave }, foreign(name));
        const keep = does(() => account.engine.keepAsNew(id));
        const drop = does(() => account.engine.discardChange(id));
        return h(
            "li",
            {},
            h("strong", {}, label),
            h("p", { class: "hint" }, problem ? foreign(wording(texts, problem)) : texts.say("status.refused")),
            h(
                "div",
                { class: "ways" },
                h("button", { type: "button", onclick: keep }, texts.say("status.keep")),
                h("button", { type: "button", class: "danger", onclick: drop }, texts.say("status.drop")),
            ),
        );
    });
    return [h("h3", {}, texts.say("status.parked")), h("p", {}, texts.say("status.parked.lead")), h("ul", {}, rows)];
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

/** @param {Account} account */
async function notesInNeed({ engine }) {
    /** @type {Summary[]} */
    const found = [];
    for (const place of /** @type {const} */ (["list", "trash"])) {
        const { ids } = await engine.list({ place, order: "edited" });
        for (let at = 0; at < ids.length; at += slice) {
            const summaries = await engine.summaries(ids.slice(at, at + slice));
            found.push(...summaries.filter(({ status }) => status === "needsAttention"));
        }
    }
    return found;
}

/**
 * The server has lost many notes that are here: asks once for each time that it happens what becomes of them.
 * @param {Frame} frame
 * @param {{ missing: number, total: number }} decision
 */
export function askToDecide(frame, { missing, total }) {
    const { texts, account } = frame;
    if (!account) return null;
    /** @param {"moveToTrash" | "keep"} decision */
    const decide = async (decision) => {
        dialog.close();
        try {
            await account.engine.decide(decision);
        } catch (failure) {
            frame.fail(failure);
        }
    };
    const dialog = openDialog({
        title: texts.say("decide.title"),
        body: [h("p", {}, texts.say("decide.lead", { n: missing, total })), h("p", {}, texts.say("decide.safe"))],
        actions: [
            h("button", { type: "button", onclick: () => decide("moveToTrash") }, texts.say("decide.trash")),
            h("button", { type: "button", class: "primary", onclick: () => decide("keep") }, texts.say("decide.keep")),
        ],
        close: texts.say("decide.later"),
        kind: "deciding",
    });
    return dialog;
}
