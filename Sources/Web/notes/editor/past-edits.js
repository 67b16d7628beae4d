/** The states of notes at the end of their last visit, so that undo works after a visit to another note. */

/** @import { Engine } from "../engine/client.js" */
/** @import { NoteRecord } from "../sync/record.js" */
/** @import { EditorState } from "codemirror" */
/** @import { Edits, Field } from "./field.js" */
/** @import { PastedTitle } from "./title-paste.js" */

/** @typedef {{ title: EditorState, body: EditorState, pasted: Set<PastedTitle> }} States */
/** @typedef {{ title: Edits, body: Edits, pasted: Set<PastedTitle> }} PastEdits */

/** The number of notes whose states are kept in a tab. */
const maxNotes = 50;
/** @type {WeakMap<Pick<Engine, "diff">, Map<string, States>>} */
const statesByEngine = new WeakMap();

/**
 * Keeps the states of a note that is closed.
 * @param {Pick<Engine, "diff">} engine
 * @param {string} id
 * @param {{ title: Field, body: Field, pasted: Set<PastedTitle> }} note
 */
export function keepEdits(engine, id, { title, body, pasted }) {
    const states = statesByEngine.get(engine) ?? new Map();
    statesByEngine.set(engine, states);
    states.delete(id);
    states.set(id, { title: title.view.state, body: body.view.state, pasted });
    if (states.size > maxNotes) states.delete(states.keys().next().value);
}

/**
 * Returns the states of a note's last visit, with the changes since, or null if it was not open before.
 * @param {Pick<Engine, "diff">} engine
 * @param {NoteRecord} record
 * @returns {Promise<PastEdits | null>}
 */
export async function pastEdits(engine, { id, text }) {
    const states = statesByEngine.get(engine)?.get(id);
    if (!states) return null;
    const edits = async (/** @type {"title" | "body"} */ part) => {
        const state = states[part];
        const before = state.doc.toString();
        return { state, delta: before === text[part] ? [] : await engine.diff(before, text[part]) };
    };
    return { title: await edits("title"), body: await edits("body"), pasted: states.pasted };
}
