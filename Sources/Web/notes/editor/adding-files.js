/** Adds pasted, dropped and selected files to a note: their bytes are on disk before the text refers to them. */
import { EditorView } from "codemirror";
import { h } from "../../shared/dom.js";
import { referenceTo } from "../attachments/references.js";
import { StorageFailure } from "../sync/store.js";

/** @import { EditorState } from "codemirror" */
/** @import { Added } from "../attachments/adding.js" */
/** @import { Context } from "../frame.js" */

/** A place in the text that moves with changes. @typedef {{ at: number }} Anchor */

const container = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)?/;

/**
 * Returns the change that inserts a reference at an offset: a picture in a line of its own, a file among the words.
 * @param {EditorState} state
 * @param {number} at
 * @param {string} reference
 * @param {boolean} isPicture
 */
export function insertion({ doc }, at, reference, isPicture) {
    const line = doc.lineAt(at);
    const [start] = /** @type {RegExpExecArray} */ (container.exec(line.text));
    // A place among the marks of a list item is before its words.
    const from = Math.max(at, line.from + start.length);
    const [before, after] = [line.text.slice(0, from - line.from), line.text.slice(from - line.from)];
    const hasWords = before.length > start.length;
    if (!isPicture) return { from, insert: (hasWords && !/\s$/.test(before) ? " " : "") + reference };
    // The text goes on in the same list item or quote.
    const newLine = `\n${start.replace(/[^\s>]/g, " ")}`;
    const next = line.number < doc.lines ? doc.line(line.number + 1).text : null;
    const isFollowed = after.trim() === "" && next !== null && next.trim() === "";
    return { from, insert: (hasWords ? newLine : "") + reference + (isFollowed ? "" : newLine) };
}

export class AddingFiles {
    #context;
    #view;
    /** @type {Set<Anchor>} */
    #anchors = new Set();
    /** @type {Promise<void>} */
    #work = Promise.resolve();

    /**
     * @param {Pick<Context, "engine" | "texts" | "notify" | "fail">} context
     * @param {() => EditorView} view
     */
    constructor(context, view) {
        this.#context = context;
        this.#view = view;
        /** The hidden fields, for pictures and for any files, which the browser opens. */
        this.fields = ["image/*", null].map((accept) => this.#field(accept));
    }

    /** The extension of the text that files are added to. */
    get extension() {
        return EditorView.updateListener.of(({ docChanged, changes }) => {
            if (docChanged) for (const anchor of this.#anchors) anchor.at = changes.mapPos(anchor.at, 1);
        });
    }

    /** Lets the user select pictures, or take one. */
    selectPictures = () => {
        this.fields[0].click();
        return true;
    };

    /** Lets the user select files. */
    selectFiles = () => this.fields[1].click();

    /** Resolves when the files are added. */
    finished() {
        return this.#work;
    }

    /**
     * @param {File[]} files
     * @param {number} [at] the offset; the caret by default
     */
    add(files, at = this.#view().state.selection.main.to) {
        if (this.#view().state.readOnly) return;
        const anchor = { at };
        this.#anchors.add(anchor);
        this.#work = this.#work.then(async () => {
            for (const file of files) await this.#addOne(file, anchor);
            this.#anchors.delete(anchor);
        });
    }

    /**
     * @param {File} file
     * @param {Anchor} anchor
     * @param {boolean} [asFile] true to add a damaged picture as it is
     */
    async #addOne(file, anchor, asFile = false) {
        const { engine, texts, notify, fail } = this.#context;
        const { addFile, Unfit } = await import("../attachments/adding.js");
        const { name, type } = file;
        try {
            const added = await addFile(engine, { bytes: await file.arrayBuffer(), name, type }, { asFile });
            this.#insert(added, anchor);
            if (added.note) notify(texts.say(`file.note.${added.note}`));
        } catch (failure) {
            if (failure instanceof StorageFailure && failure.kind === "full")
                return notify(texts.say("file.unfit.full"), undefined, "failure");
            if (!(failure instanceof Unfit)) return fail(failure);
            if (failure.reason !== "damaged")
                return notify(texts.say(`file.unfit.${failure.reason}`), undefined, "failure");
            const run = () => {
                this.#work = this.#work.then(() =>
                    this.#addOne(file, { at: this.#view().state.selection.main.to }, true),
                );
            };
            notify(texts.say("file.unfit.damaged"), { label: texts.say("file.keep"), run }, "failure");
        }
    }

    /** @param {Added} added @param {Anchor} anchor */
    #insert(added, anchor) {
        const view = this.#view();
        const change = insertion(view.state, anchor.at, referenceTo(added, added.isPicture), added.isPicture);
        const hasCaret = view.state.selection.main.empty && view.state.selection.main.head === anchor.at;
        const end = change.from + change.insert.length;
        view.dispatch({
            changes: change,
            ...(hasCaret ? { selection: { anchor: end }, scrollIntoView: true } : {}),
            userEvent: "input.paste",
        });
        anchor.at = Math.max(anchor.at, end);
    }

    /** @param {string | null} accept */
    #field(accept) {
        const field = h("input", { type: "file", multiple: true, accept, hidden: true });
        field.addEventListener("change", () => {
            this.add([...(field.files ?? [])]);
            field.value = "";
            this.#view().focus();
        });
        return field;
    }
}
