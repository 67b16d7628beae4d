/** What is shown where this device's storage fails: why, and each way out. */
import { fill, h } from "../../shared/dom.js";
import { saveFile } from "../../shared/save-file.js";
import { icon } from "../icons.js";
import { askToWipe } from "./sign-out.js";

/** @import { Frame } from "../frame.js" */

/**
 * @param {Frame} frame
 * @param {any} failure a StorageFailure, or what else prevents that notes are opened
 */
export function failureView(frame, failure) {
    const { texts } = frame;
    const kind = kindOf(frame, failure);
    const outcome = h("p", { role: "status" });
    /**
     * @param {string} label
     * @param {() => void | Promise<void>} run
     * @param {string} [look]
     */
    const button = (label, run, look = "") =>
        h("button", { type: "button", class: look, onclick: run }, texts.say(label));
    const again = async () => {
        const { account } = frame;
        if (!account || account.engine.isBroken) {
            await frame.closeAccount();
            return frame.go();
        }
        fill(outcome, texts.say("failure.trying"));
        try {
            await account.engine.reopen();
            await frame.openAgain(account);
        } catch (next) {
            frame.alone(failureView(frame, next));
        }
    };
    const rescue = async () => fill(outcome, await saved(frame));
    const reload = () => location.reload();
    /** @type {Record<string, (Node | null)[]>} */
    const ways = {
        newer: [button("failure.reload", reload, "primary")],
        blocked: [button("retry", again, "primary"), button("failure.reload", reload)],
        full: [button("retry", again, "primary"), button("failure.rescue", rescue)],
        stopped: [button("retry", again, "primary"), button("failure.reload", reload)],
        broken: [
            button("retry", again, "primary"),
            button("failure.rescue", rescue),
            button("failure.wipe", () => askToWipe(frame), "danger"),
        ],
    };
    const detail =
        ["broken", "stopped"].includes(kind) && failure?.message
            ? h("p", { class: "hint" }, h("code", {}, failure.message))
            : null;
    return h(
        "section",
        { class: "entrance" },
        icon("alert"),
        h("h1", { tabindex: "-1" }, texts.say(`failure.${kind}`)),
        h("p", { role: "alert" }, texts.say(`failure.${kind}.detail`)),
        detail,
        h("div", { class: "ways" }, ways[kind]),
        outcome,
    );
}

/**
 * What is said over notes that are open while the storage fails.
 * @param {Frame} frame
 * @param {unknown} failure
 * @returns {import("../bars.js").Bar}
 */
export function failureBar(frame, failure) {
    const { texts } = frame;
    const kind = kindOf(frame, failure);
    const reload = { label: texts.say("failure.reload"), run: () => location.reload() };
    const rescue = { label: texts.say("failure.rescue"), run: async () => frame.notices.notify(await saved(frame)) };
    const text = `${texts.say(`failure.${kind}`)}. ${texts.say(`failure.${kind}.open`)}`;
    return { text, urgent: true, actions: ["newer", "stopped"].includes(kind) ? [reload] : [rescue] };
}

/**
 * @param {Frame} frame
 * @param {any} failure
 */
function kindOf({ account }, failure) {
    if (account?.engine.isBroken) return "stopped";
    return ["newer", "full", "blocked"].includes(failure?.kind) ? failure.kind : "broken";
}

/**
 * Gives its user a file with what can be read.
 * @param {Frame} frame
 * @returns {Promise<string>} how it went
 */
async function saved({ texts, account }) {
    if (!account) return "";
    try {
        const records = await account.engine.all();
        const content = JSON.stringify(records.map(rescued), null, 2);
        saveFile(`notes-${account.environment}.json`, "application/json", content);
        return texts.say("failure.rescued", { n: records.length });
    } catch (failure) {
        return texts.say("failure.lost", { detail: failure instanceof Error ? failure.message : String(failure) });
    }
}

/** @param {import("../sync/record.js").NoteRecord} record */
function rescued({ id, text, place, createdAt, updatedAt }) {
    return { id, ...text, trash: place === "trash", createdAt, updatedAt };
}
