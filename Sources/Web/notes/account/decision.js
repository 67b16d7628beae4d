/** The dialog about notes that the server lost: opens by itself once, and later from a bar. */
import { confirm } from "../../shared/confirm.js";
import { h } from "../../shared/dom.js";

/** @import { Context } from "../frame.js" */
/** @import { State } from "../engine/types.js" */

export class Decision {
    #page;
    /** @type {{ close(): void } | null} */
    #dialog = null;

    /** @param {Pick<Context, "texts" | "bar" | "fail">} page */
    constructor({ texts, bar, fail }) {
        this.#page = { texts, bar, fail };
    }

    /**
     * Opens the dialog when a new decision is needed.
     * @param {Context["engine"]} engine
     * @param {State["decision"]} decision
     * @param {State["decision"]} before
     */
    update(engine, decision, before) {
        const { texts, bar } = this.#page;
        if (!decision) {
            this.#dialog?.close();
            this.#dialog = null;
            bar("decision", null);
        } else if (!before) {
            const open = () => {
                this.#dialog = this.#openDialog(engine, decision);
            };
            const action = { label: texts.say("decide.button"), run: open };
            bar("decision", { text: texts.say("status.deciding"), actions: [action] });
            open();
        }
    }

    /**
     * @param {Context["engine"]} engine
     * @param {{ missing: number, total: number }} decision
     */
    #openDialog(engine, { missing, total }) {
        const { texts, fail } = this.#page;
        /** @param {"moveToTrash" | "keep"} decision */
        const decide = (decision) => engine.decide(decision).catch(fail);
        return confirm(texts, {
            title: texts.say("decide.title"),
            body: [h("p", {}, texts.say("decide.lead", { n: missing, total })), h("p", {}, texts.say("decide.safe"))],
            answers: [
                { label: texts.say("list.trash.move"), run: () => decide("moveToTrash") },
                { label: texts.say("decide.keep"), kind: "primary", run: () => decide("keep") },
            ],
            cancel: texts.say("decide.later"),
        });
    }
}
