/** The view of a storage failure: the reason, and the possible actions. */
import { button, fill, h } from "../../shared/dom.js";
import { saveFile } from "../../shared/save-file.js";
import { icon } from "../icons.js";

/** @import { Account } from "../frame.js" */
/** @typedef {import("../../shared/texts.js").Texts} Texts */

/**
 * @typedef {object} Page a page that cannot open its notes
 * @property {Texts} texts
 * @property {Account} account
 * @property {(view: HTMLElement) => void} show shows another view instead
 * @property {() => Promise<void>} opened continues with the opened notes
 * @property {() => Promise<void>} openAnew opens the notes with another worker
 * @property {() => void} wipe asks for confirmation, then removes the local notes
 */

/**
 * @param {Page} page
 * @param {any} failure a StorageFailure, or another error that prevents opening the notes
 */
export function failureView(page, failure) {
    const { texts, account } = page;
    const kind = kindOf(account, failure);
    const outcome = h("p", { role: "status" });
    /**
     * @param {string} label
     * @param {() => void | Promise<void>} run
     * @param {string} [look]
     */
    const way = (label, run, look) => button(texts.say(label), run, look);
    const again = async () => {
        if (account.engine.isBroken) return page.openAnew();
        fill(outcome, texts.say("failure.trying"));
        try {
            await account.engine.reopen();
            await page.opened();
        } catch (next) {
            page.show(failureView(page, next));
        }
    };
    const rescue = async () => fill(outcome, await saved(texts, account));
    const reload = () => location.reload();
    /** @type {Record<string, (Node | null)[]>} */
    const ways = {
        newer: [way("reload", reload, "primary")],
        blocked: [way("retry", again, "primary"), way("reload", reload)],
        full: [way("retry", again, "primary"), way("failure.rescue", rescue)],
        stopped: [way("retry", again, "primary"), way("reload", reload)],
        broken: [
            way("retry", again, "primary"),
            way("failure.rescue", rescue),
            way("failure.wipe", page.wipe, "danger"),
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
 * Returns the bar over open notes while the storage fails.
 * @param {object} page
 * @param {Texts} page.texts
 * @param {Account} page.account
 * @param {(text: string) => void} page.notify
 * @param {unknown} failure
 * @returns {import("../bars.js").Bar}
 */
export function failureBar({ texts, account, notify }, failure) {
    const kind = kindOf(account, failure);
    const reload = { label: texts.say("reload"), run: () => location.reload() };
    const rescue = { label: texts.say("failure.rescue"), run: async () => notify(await saved(texts, account)) };
    const text = `${texts.say(`failure.${kind}`)}. ${texts.say(`failure.${kind}.open`)}`;
    return { text, urgent: true, actions: ["newer", "stopped"].includes(kind) ? [reload] : [rescue] };
}

/**
 * @param {Account} account
 * @param {any} failure
 */
function kindOf({ engine }, failure) {
    if (engine.isBroken) return "stopped";
    return ["newer", "full", "blocked"].includes(failure?.kind) ? failure.kind : "broken";
}

/**
 * Downloads a file with all readable notes.
 * @param {Texts} texts
 * @param {Account} account
 * @returns {Promise<string>} the message for the user
 */
async function saved(texts, { engine, environment }) {
    try {
        const records = await engine.all();
        const content = JSON.stringify(records.map(rescued), null, 2);
        saveFile(`notes-${environment}.json`, "application/json", content);
        return texts.say("failure.rescued", { n: records.length });
    } catch (failure) {
        return texts.say("failure.lost", { detail: failure instanceof Error ? failure.message : String(failure) });
    }
}

/** @param {import("../sync/record.js").NoteRecord} record */
function rescued({ id, text, place, createdAt, updatedAt }) {
    return { id, ...text, trash: place === "trash", createdAt, updatedAt };
}
