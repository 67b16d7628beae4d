/**
 * A paste of several lines into a title: the first line is the title, the others begin the note's text. The undo
 * history of the text has the paste, with an effect that restores the title, so that one undo reverts both.
 */
import { ChangeSet, EditorView, invertedEffects, isolateHistory, StateEffect, Transaction } from "codemirror";

/** @import { Field } from "./field.js" */

/** A change of the title that reverts a paste, or repeats it. @typedef {{ changes: ChangeSet }} PastedTitle */

/** @type {import("codemirror").StateEffectType<PastedTitle>} */
const titlePasted = StateEffect.define();

export class TitlePaste {
    #note;
    /** The pastes in the text's undo history. */
    pasted;

    /**
     * @param {{ title: Field, body: Field }} note
     * @param {Set<PastedTitle>} [pasted] the pastes of an earlier visit
     */
    constructor(note, pasted = new Set()) {
        this.#note = note;
        this.pasted = pasted;
    }

    /** The extensions of the title. */
    get forTitle() {
        return [
            EditorView.domEventHandlers({
                paste: ({ clipboardData }, { state }) => {
                    const text = clipboardData?.getData("text/plain").replace(/\r\n?/g, "\n") ?? "";
                    const [first, ...others] = text.replace(/^\s*\n/, "").split("\n");
                    const rest = others.join("\n").replace(/^\s*\n/, "");
                    if (state.readOnly || rest.trim() === "") return false;
                    this.#paste(first, rest);
                    return true;
                },
            }),
            EditorView.updateListener.of(({ docChanged, changes }) => {
                if (docChanged) for (const each of this.pasted) each.changes = each.changes.map(changes);
            }),
        ];
    }

    /** The extensions of the text. */
    get forBody() {
        return [
            invertedEffects.of(({ effects }) => effects.filter((effect) => effect.is(titlePasted))),
            EditorView.updateListener.of(({ transactions }) => {
                for (const transaction of transactions) {
                    if (!transaction.isUserEvent("undo") && !transaction.isUserEvent("redo")) continue;
                    for (const effect of transaction.effects) if (effect.is(titlePasted)) this.#change(effect.value);
                }
            }),
        ];
    }

    /**
     * @param {string} first
     * @param {string} rest
     */
    #paste(first, rest) {
        const { state } = this.#note.title.view;
        const { view } = this.#note.body;
        const { from, to } = state.selection.main;
        const pasted = { changes: ChangeSet.of({ from, to, insert: first }, state.doc.length, "\n") };
        this.#change(pasted);
        this.pasted.add(pasted);
        const insert = view.state.doc.length === 0 || rest.endsWith("\n") ? rest : `${rest}\n`;
        view.dispatch({
            changes: { from: 0, insert },
            selection: { anchor: rest.length },
            effects: titlePasted.of(pasted),
            annotations: isolateHistory.of("full"),
            scrollIntoView: true,
            userEvent: "input.paste",
        });
        view.focus();
    }

    /** Changes the title, and prepares the reverse change. @param {PastedTitle} pasted */
    #change(pasted) {
        const { view } = this.#note.title;
        const { changes } = pasted;
        const reverse = changes.invert(view.state.doc);
        view.dispatch({ changes, annotations: Transaction.addToHistory.of(false), userEvent: "input" });
        pasted.changes = reverse;
    }
}
