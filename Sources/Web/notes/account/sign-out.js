/** Signs out, and decides about the notes on this device. Unsent notes are listed before anything is removed. */
import { confirm } from "../../shared/confirm.js";
import { openDialog } from "../../shared/dialog.js";
import { button, fill, h, userText } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { forgetShared } from "../offline/arrival.js";
import { routeFragment } from "../route.js";

/** @import { Account, Context } from "../frame.js" */
/** @typedef {Pick<Context, "engine" | "texts" | "unsaved">} Notes */

/** The number of listed notes, and of listed files. */
const maxListedNotes = 20;

/** Returns the names of notes with unsent changes, or null if the notes cannot be read. @param {Notes} notes */
async function unsent({ engine, texts, unsaved }) {
    /** The names by id. @type {Map<string, string>} */
    const found = new Map(unsaved.refused.map(({ id, name }) => [id, name]));
    try {
        for await (const { id, title, excerpt, status } of engine.allSummaries())
            if (status !== "onServer") found.set(id, title || excerpt || texts.say("frame.untitled"));
        return [...found.values()];
    } catch {
        return null;
    }
}

/** Returns a warning about notes and files that would be lost, or null if there are none. @param {Notes} here */
async function warning(here) {
    const { engine, texts } = here;
    const [notes, files] = await Promise.all([unsent(here), engine.unsentAttachments().catch(() => [])]);
    // The engine also counts notes that were removed for good here but not yet on the server.
    const { pending } = engine.state();
    const n = Math.max(notes?.length ?? 0, pending);
    if (notes && n === 0 && files.length === 0) return null;
    const names = files.map(({ name }) => name);
    return h(
        "div",
        { class: "error unsent" },
        icon("alert"),
        h(
            "div",
            {},
            notes && n === 0 ? null : h("p", {}, notes ? texts.say("out.unsent", { n }) : texts.say("out.unread")),
            listed(texts, notes ?? []),
            names.length > 0 ? h("p", {}, texts.say("file.out", { n: names.length })) : null,
            listed(texts, names),
        ),
    );
}

/** Returns a list of the first names, or null without any. @param {Notes["texts"]} texts @param {string[]} names */
function listed(texts, names) {
    if (names.length === 0) return null;
    const shown = names.slice(0, maxListedNotes).map((name) => h("li", {}, userText(name)));
    const more = names.length - shown.length;
    return h("ul", {}, shown, more > 0 ? h("li", {}, texts.say("more", { n: more })) : null);
}

export class SignOut {
    #page;
    /** True while this tab removes the notes from this device. */
    isRemoving = false;

    /**
     * @param {object} page
     * @param {import("../../shared/texts.js").Texts} page.texts
     * @param {import("./accounts.js").DeviceAccounts} page.device
     * @param {import("./session.js").SessionWatch} page.session
     * @param {Context["unsaved"]} page.unsaved
     * @param {(text: string) => void} page.notify
     * @param {(failure: unknown) => void} page.fail
     * @param {() => Promise<void>} page.flush saves the user's text to disk; rejected on failure
     * @param {import("../layout.js").Layout} page.layout
     * @param {() => Promise<void>} page.close closes the notes
     * @param {() => Promise<void>} page.showRoute shows the view of the address
     */
    constructor(page) {
        this.#page = page;
    }

    /** Asks whether the notes stay on this device, then signs out. @param {Account} account */
    async askToSignOut({ environment, name, engine }) {
        const { texts, device, session, unsaved, notify, fail, flush, close, showRoute } = this.#page;
        // Save the user's text first, because it belongs to the unsent changes.
        await flush().catch(fail);
        const lost = await warning({ engine, texts, unsaved });
        const outcome = h("p", { class: "error", role: "alert" });
        /** @param {boolean} wipe */
        const leave = async (wipe) => {
            if (!(await session.end(environment))) {
                fill(outcome, icon("alert"), h("span", {}, texts.say("out.away")));
                return;
            }
            dialog.close();
            if (wipe)
                await Promise.all([this.#remove({ environment, name, engine }), forgetShared({ environment, name })]);
            else device.leave(environment, name);
            await close();
            history.replaceState(null, "", routeFragment({ environment }));
            await showRoute();
            notify(texts.say(wipe ? "out.wiped" : "out.kept", { name }));
        };
        const dialog = openDialog(texts, {
            title: texts.say("out.title"),
            body: [h("p", {}, texts.say("out.lead")), lost, outcome],
            actions: [
                button(texts.say(lost ? "out.wipe.lose" : "out.wipe"), () => leave(true), lost ? "danger" : ""),
                button(texts.say("out.keep"), () => leave(false), "primary"),
            ],
        });
    }

    /**
     * Asks for confirmation, then removes the notes from this device and reads them again from the server.
     * @param {Account} account
     */
    async askToWipe({ environment, name, engine }) {
        const { texts, device, unsaved, close, showRoute } = this.#page;
        const lost = await warning({ engine, texts, unsaved });
        const wipe = async () => {
            await this.#remove({ environment, name, engine });
            await close();
            device.use(environment, name);
            await showRoute();
        };
        confirm(texts, {
            title: texts.say("wipe.title"),
            body: [h("p", {}, texts.say("wipe.lead")), lost],
            answers: [{ label: texts.say(lost ? "wipe.lose" : "wipe.button"), kind: "danger", run: wipe }],
        });
    }

    /** @param {Pick<Account, "environment" | "name" | "engine">} account */
    async #remove({ environment, name, engine }) {
        const { device, fail, layout } = this.#page;
        await layout.close();
        this.isRemoving = true;
        try {
            await engine.wipe();
            device.forget(environment, name);
        } catch (failure) {
            fail(failure);
        } finally {
            this.isRemoving = false;
        }
    }
}
