/** The notice above a note that is not in the list or was not saved, with the actions to offer. */
import { button, fill, h } from "../../shared/dom.js";

/** @import { Context } from "../frame.js" */
/** @import { NoteRecord } from "../sync/record.js" */

export class NoteNotice {
    element = h("div", { class: "note-notice", role: "status", hidden: true });
    #context;
    #keepAsNew;
    #wasInList = false;
    /** The key of the current notice, so that each is announced once. */
    #shownState = "";

    /**
     * @param {Pick<Context, "engine" | "texts" | "navigate" | "fail">} context
     * @param {() => Promise<NoteRecord>} keepAsNew creates a note from the current text
     */
    constructor(context, keepAsNew) {
        this.#context = context;
        this.#keepAsNew = keepAsNew;
    }

    /**
     * @param {string} id
     * @param {NoteRecord | null} record
     * @param {unknown} failure a failure of the storage
     */
    show(id, record, failure) {
        const what = this.#noticeOf(record, failure);
        if (what === this.#shownState) return;
        this.#shownState = what;
        this.element.hidden = what === "";
        const { engine, texts, navigate, fail } = this.#context;
        const act = (/** @type {string} */ key, /** @type {() => Promise<unknown>} */ run) =>
            button(texts.say(key), () => run().catch(fail));
        const takeOut = () => act("list.restore", () => engine.takeOutOfTrash(id));
        /** @type {Record<string, () => Node | Node[]>} */
        const actions = {
            "editor.in.trash": takeOut,
            "editor.trashed": takeOut,
            "editor.gone": () => act("status.keep", async () => navigate({ note: (await this.#keepAsNew()).id }, true)),
            "editor.refused": () => [
                act("status.keep", async () => navigate({ note: (await engine.keepAsNew(id)).id })),
                act("status.drop", () => engine.discardChange(id)),
            ],
        };
        const detail = record?.problem?.detail ?? (failure instanceof Error ? failure.message : "");
        fill(this.element, h("p", {}, what && texts.say(what, { detail })), actions[what]?.());
    }

    /**
     * @param {NoteRecord | null} record
     * @param {unknown} failure
     */
    #noticeOf(record, failure) {
        if (!record || record.place === "removed") return "editor.gone";
        if (record.place === "trash") return this.#wasInList ? "editor.trashed" : "editor.in.trash";
        this.#wasInList = true;
        if (record.problem) return "editor.refused";
        return failure ? "editor.failed" : "";
    }
}
