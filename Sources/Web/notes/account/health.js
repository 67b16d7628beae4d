/** The storage section of the settings: persistence, free space, and the time of the last full check. */
import { button, fill, h } from "../../shared/dom.js";
import { choice } from "../../shared/page-frame.js";
import { factsOf, openStatusDialog, syncNow } from "./status-dialog.js";

/** @import { Context } from "../frame.js" */

/**
 * Asks the browser for persistent storage, which only a window can do.
 * @returns {Promise<boolean | null>} null if the browser cannot be asked
 */
export async function persist() {
    try {
        return (await navigator.storage?.persist?.()) ?? null;
    } catch {
        return null;
    }
}

/** The browser's offer to install the page, if any. */
export class Installing {
    /** @type {any} */
    #offer = null;

    constructor() {
        addEventListener("beforeinstallprompt", (event) => {
            event.preventDefault();
            this.#offer = event;
        });
        addEventListener("appinstalled", () => {
            this.#offer = null;
        });
    }

    get isOffered() {
        return this.#offer !== null;
    }

    async prompt() {
        await this.#offer?.prompt();
        this.#offer = null;
    }
}

async function readStorageState() {
    try {
        const [persisted, estimate] = await Promise.all([
            navigator.storage?.persisted?.() ?? null,
            navigator.storage?.estimate?.() ?? null,
        ]);
        return { persisted, usage: estimate?.usage ?? null, quota: estimate?.quota ?? null };
    } catch {
        return { persisted: null, usage: null, quota: null };
    }
}

/** @param {Context} context */
export function healthSection(context) {
    const { texts, engine, notify, installing, fail, signal } = context;
    const storage = h("dl", { class: "facts" });
    const facts = h("dl", { class: "facts" });
    const kept = h("div", {});
    const advice = h("p", { class: "hint" });
    const ask = h("button", { type: "button", hidden: true }, texts.say("health.persist"));
    const install = h("button", { type: "button", hidden: true }, texts.say("health.install"));
    const renderStorage = async () => {
        const { persisted, usage, quota } = await readStorageState();
        const state = persisted === null ? "unknown" : persisted ? "yes" : "no";
        fill(
            storage,
            row(texts.say("health.persisted"), texts.say(`health.persisted.${state}`)),
            usage !== null && quota !== null
                ? row(
                      texts.say("health.room"),
                      texts.say("health.room.of", { used: texts.size(usage), all: texts.size(quota) }),
                  )
                : null,
        );
        fill(advice, texts.say(persisted ? "health.advice.yes" : "health.advice.no"));
        ask.hidden = persisted !== false;
        install.hidden = !installing.isOffered;
    };
    ask.addEventListener("click", async () => {
        if (!(await persist())) notify(texts.say("health.refused"), undefined, "failure");
        await renderStorage();
    });
    install.addEventListener("click", async () => {
        await installing.prompt();
        await renderStorage();
    });
    const renderFiles = async () => {
        const { bytes, keepsAll } = await engine.attachmentUsage();
        const size = row(texts.say("file.stored"), texts.say("file.stored.size", { size: texts.size(bytes) }));
        const ways = ["recent", "all"].map((way) => [way, texts.say(`file.kept.${way}`)]);
        const keep = (/** @type {string} */ way) => engine.keepAllAttachments(way === "all").catch(fail);
        const choices = choice(texts.say("file.kept"), ways, keepsAll ? "all" : "recent", keep);
        fill(kept, h("dl", { class: "facts" }, size), choices);
    };
    const renderFacts = () => fill(facts, factsOf(texts, engine.state()));
    engine.addEventListener("state", renderFacts, { signal });
    const now = button(texts.say("status.check"), () => syncNow(context));
    const more = button(texts.say("status.title"), () => openStatusDialog(context));
    renderStorage();
    renderFacts();
    renderFiles().catch(fail);
    engine.addEventListener("attachments", () => renderFiles().catch(fail), { signal });
    return h(
        "section",
        { class: "setting", "aria-labelledby": "health" },
        h("h2", { id: "health" }, texts.say("health.title")),
        storage,
        advice,
        facts,
        kept,
        h("div", { class: "ways" }, now, more, ask, install),
    );
}

/**
 * @param {string} label
 * @param {string} value
 */
function row(label, value) {
    return h("div", {}, h("dt", {}, label), h("dd", {}, value));
}
