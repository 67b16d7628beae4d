/** The notes whose texts link to an open note. */
import { fill, h, userText } from "../../shared/dom.js";

/** @import { Context } from "../frame.js" */

/** The time between two reads after changes, in milliseconds. */
const readInterval = 250;

export class LinkedFrom {
    #context;
    #id;
    #addressOf;
    #closing = new AbortController();
    #isReading = false;
    #isStale = false;

    /**
     * @param {Context} context
     * @param {string} id
     * @param {(id: string) => string} addressOf returns the address of a note
     */
    constructor(context, id, addressOf) {
        this.#context = context;
        this.#id = id;
        this.#addressOf = addressOf;
        const label = context.texts.say("editor.linked");
        this.list = h("ul", {});
        this.element = h(
            "nav",
            { class: "note-links", "aria-label": label, hidden: true },
            h("h2", {}, label),
            this.list,
        );
        const changed = (/** @type {Event} */ event) => {
            const { detail } = /** @type {CustomEvent<Set<string>>} */ (event);
            if (detail.size > 1 || !detail.has(id)) this.#read();
        };
        context.engine.addEventListener("changed", changed, { signal: this.#closing.signal });
        this.#read();
    }

    close() {
        this.#closing.abort();
    }

    async #read() {
        this.#isStale = true;
        if (this.#isReading) return;
        this.#isReading = true;
        const { signal } = this.#closing;
        try {
            while (this.#isStale && !signal.aborted) {
                this.#isStale = false;
                this.#show(await this.#context.engine.linkedFrom(this.#id));
                await new Promise((done) => setTimeout(done, readInterval));
            }
        } catch (failure) {
            if (!signal.aborted) this.#context.fail(failure);
        } finally {
            this.#isReading = false;
        }
    }

    /** @param {{ id: string, title: string, excerpt: string }[]} notes */
    #show(notes) {
        this.element.hidden = notes.length === 0;
        const focused = this.list.contains(document.activeElement)
            ? document.activeElement?.getAttribute("href")
            : null;
        const { texts } = this.#context;
        const links = notes.map(({ id, title, excerpt }) =>
            h("a", { href: this.#addressOf(id) }, userText(title || excerpt || texts.say("editor.untitled"))),
        );
        fill(
            this.list,
            links.map((link) => h("li", {}, link)),
        );
        links.find((link) => link.getAttribute("href") === focused)?.focus();
    }
}
