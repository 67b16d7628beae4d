/** Signing out, and what becomes of the notes on this device. What no server has is named before anything goes. */
import { Problem } from "../../shared/api.js";
import { openDialog } from "../../shared/dialog.js";
import { fill, foreign, h } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { forgetShared } from "../offline/arrival.js";
import { routeFragment } from "../route.js";

/** @import { Account, Frame } from "../frame.js" */

/** How many notes are named, and how many are looked at in one question. */
const named = 20;
const slice = 500;

/**
 * What the notes are called that have something that no server has; null where they cannot be read.
 * @param {Frame} frame
 * @param {Account} account
 */
async function unsent({ texts, unsaved }, { engine }) {
    /** By their ids. @type {Map<string, string>} */
    const found = new Map(unsaved.refused.map(({ id, name }) => [id, name]));
    try {
        for (const place of /** @type {const} */ (["list", "trash"])) {
            const { ids } = await engine.list({ place, order: "edited" });
            for (let at = 0; at < ids.length; at += slice) {
                const summaries = await engine.summaries(ids.slice(at, at + slice));
                for (const { id, title, excerpt, status } of summaries)
                    if (status !== "onServer") found.set(id, title || excerpt || texts.say("frame.untitled"));
            }
        }
        return [...found.values()];
    } catch {
        return null;
    }
}

/**
 * @param {Frame} frame
 * @param {Awaited<ReturnType<typeof unsent>>} notes
 * @param {number} pending that the engine counts: also those removed for good here and not there
 */
function warning({ texts }, notes, pending) {
    const n = Math.max(notes?.length ?? 0, pending);
    if (notes && n === 0) return null;
    const titles = (notes ?? []).slice(0, named).map((name) => h("li", {}, foreign(name)));
    const more = (notes?.length ?? 0) - titles.length;
    return h(
        "div",
        { class: "error unsent" },
        icon("alert"),
        h(
            "div",
            {},
            h("p", {}, notes ? texts.say("out.unsent", { n }) : texts.say("out.unread")),
            titles.length > 0
                ? h("ul", {}, titles, more > 0 ? h("li", {}, texts.say("out.more", { n: more })) : null)
                : null,
        ),
    );
}

/**
 * Asks whether the notes stay on this device, and signs out.
 * @param {Frame} frame
 */
export async function askToSignOut(frame) {
    const { texts, account } = frame;
    if (!account) return;
    // What is typed belongs to what is unsent.
    await frame.flush().catch((failure) => frame.fail(failure));
    const notes = await unsent(frame, account);
    const lost = warning(frame, notes, account.engine.state().pending);
    const outcome = h("p", { class: "error", role: "alert" });
    /** @param {boolean} wipe */
    const leave = async (wipe) => {
        if (!(await endSession(frame, account, outcome))) return;
        dialog.close();
        if (wipe) await Promise.all([wipeAccount(frame, account), forgetShared(account)]);
        else frame.device.leave(account.environment, account.name);
        await frame.closeAccount();
        history.replaceState(null, "", routeFragment({ environment: account.environment }));
        await frame.go();
        frame.notices.notify(texts.say(wipe ? "out.wiped" : "out.kept", { name: account.name }));
    };
    const dialog = openDialog({
        title: texts.say("out.title"),
        body: [h("p", {}, texts.say("out.lead")), lost, outcome],
        actions: [
            h(
                "button",
                { type: "button", class: lost ? "danger" : "", onclick: () => leave(true) },
                texts.say(lost ? "out.wipe.lose" : "out.wipe"),
            ),
            h("button", { type: "button", class: "primary", onclick: () => leave(false) }, texts.say("out.keep")),
        ],
        close: texts.say("close"),
        kind: "sign-out",
    });
}

/**
 * Ends the session in the browser; only the server can.
 * @param {Frame} frame
 * @param {Account} account
 * @param {HTMLElement} outcome
 */
async function endSession(frame, account, outcome) {
    // Somebody else's session is not ended with these notes.
    if (frame.access.standing === "other" || frame.access.standing === "ended") return true;
    try {
        await frame.api.send("DELETE", `/${encodeURIComponent(account.environment)}/session`);
        return true;
    } catch (failure) {
        if (failure instanceof Problem && failure.status === 401) return true;
        fill(outcome, icon("alert"), h("span", {}, frame.texts.say("out.away")));
        return false;
    }
}

/**
 * @param {Frame} frame
 * @param {Account} account
 */
async function wipeAccount(frame, account) {
    await frame.layout.close();
    frame.leaving = true;
    try {
        await account.engine.wipe();
        frame.device.forget(account.environment, account.name);
    } catch (failure) {
        frame.fail(failure);
    } finally {
        frame.leaving = false;
    }
}

/**
 * Asks, and removes the notes from this device, to read them anew from the server.
 * @param {Frame} frame
 */
export async function askToWipe(frame) {
    const { texts, account } = frame;
    if (!account) return;
    const lost = warning(frame, await unsent(frame, account), account.engine.state().pending);
    const wipe = async () => {
        dialog.close();
        await wipeAccount(frame, account);
        await frame.closeAccount();
        frame.device.use(account.environment, account.name);
        await frame.go();
    };
    const dialog = openDialog({
        title: texts.say("wipe.title"),
        body: [h("p", {}, texts.say("wipe.lead")), lost],
        actions: [
            h("button", { type: "button", onclick: () => dialog.close() }, texts.say("cancel")),
            h(
                "button",
                { type: "button", class: "danger", onclick: wipe },
                texts.say(lost ? "wipe.lose" : "wipe.button"),
            ),
        ],
        close: texts.say("close"),
    });
}
