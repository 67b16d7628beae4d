/** Markdown in the editor: tasks that tick, links that open, lists that continue, keys of marks. */
import { defineLanguageFacet, EditorView, Language, syntaxTree } from "codemirror";
import { attachmentOf } from "../attachments/references.js";
import { decoded } from "../markdown/decoding.js";
import { targetOf } from "../markdown/inlines.js";
import { noteOf } from "../markdown/note-links.js";
import { parser } from "../markdown/parser.js";
import { safe } from "../markdown/render.js";
import { parseCode } from "./code-languages.js";
import { enter, markBefore, moveItems, selectedLines, toggleTasks } from "./lists.js";
import { tickAt } from "./live-marks.js";
import { toggleLink, toggleWordMark } from "./mark-commands.js";
import { links, marks } from "./marks.js";

/** @import { EditorState, SyntaxNode } from "codemirror" */

export const language = new Language(defineLanguageFacet(), parser.configure({ wrap: parseCode }), [], "markdown");

/** Turns the selected lines into tasks, or ticks them. @param {EditorView} view */
export function toggleChecklist(view) {
    if (view.state.readOnly) return true;
    const { changes } = view.state.update({ changes: toggleTasks(view.state) });
    const { anchor, head } = view.state.selection.main;
    view.dispatch({
        changes,
        selection: { anchor: changes.mapPos(anchor, 1), head: changes.mapPos(head, 1) },
        scrollIntoView: true,
        userEvent: "input",
    });
    view.focus();
    return true;
}

/** @param {EditorView} view */
function goOn(view) {
    const { state } = view;
    const { selection, readOnly } = state;
    if (readOnly || !selection.main.empty || selection.ranges.length > 1) return false;
    const changes = enter(state, selection.main.head);
    if (!changes) return false;
    // Enter in an empty item of a nested list leaves that list only.
    const [{ from, to, insert }] = changes;
    if (to > from && moveItems(state, true)?.empty === false) return move(true)(view);
    const anchor = from + insert.length;
    view.dispatch({ changes, selection: { anchor }, scrollIntoView: true, userEvent: "input" });
    return true;
}

/** Deletes the mark before the caret at the beginning of a line's text, or leaves a nested list. @param {EditorView} view */
function deleteMark(view) {
    const { state } = view;
    const mark = markBefore(state);
    if (state.readOnly || mark === null) return false;
    if (moveItems(state, true)?.empty === false) return move(true)(view);
    view.dispatch({
        changes: { from: mark, to: state.selection.main.head },
        scrollIntoView: true,
        userEvent: "delete.backward",
    });
    return true;
}

/** The spaces that Tab inserts outside of lists. */
const tab = "  ";

/**
 * Moves the selected list items a level inwards or outwards; elsewhere inserts or removes spaces.
 * @param {boolean} isOut
 */
export const move = (isOut) => (/** @type {EditorView} */ view) => {
    const { state } = view;
    if (state.readOnly) return false;
    const changes = state.changes(moveItems(state, isOut) ?? spaced(state, isOut));
    const { anchor, head } = state.selection.main;
    const selection = { anchor: changes.mapPos(anchor, 1), head: changes.mapPos(head, 1) };
    if (changes.empty) return true;
    view.dispatch({ changes, selection, scrollIntoView: true, userEvent: isOut ? "delete" : "input" });
    return true;
};

/** @param {EditorState} state @param {boolean} isOut @returns {{ from: number, to?: number, insert?: string }[]} */
function spaced(state, isOut) {
    const { from, empty } = state.selection.main;
    if (empty && !isOut) return [{ from, insert: tab }];
    const lines = selectedLines(state);
    if (!isOut) return lines.flatMap((line) => (line.length > 0 ? [{ from: line.from, insert: tab }] : []));
    return lines.map((line) => ({ from: line.from, to: line.from + (/^ {0,2}/.exec(line.text)?.[0].length ?? 0) }));
}

/**
 * Returns the link at the caret: its address, its text, and the id of the note or file that it leads to. Returns null if
 * there is none.
 * @param {EditorState} state
 */
export function linkAt(state) {
    const { from } = state.selection.main;
    /** @type {SyntaxNode | null} */
    let link = null;
    syntaxTree(state).iterate({
        from,
        to: from,
        enter({ name, node }) {
            if (links.has(name) || name === "URL") link ??= node;
        },
    });
    if (!link) return null;
    const found = /** @type {SyntaxNode} */ (link);
    const target = targetOf({ slice: (from, to) => state.sliceDoc(from, to) }, found);
    const [note, file] = [noteOf(target), attachmentOf(target)];
    const address = note === null && file === null ? safe(target) : target;
    if (address === null) return null;
    const [open, close] = found.getChildren("LinkMark");
    return { note, file, address, text: open && close ? decoded(state.sliceDoc(open.to, close.from)) : target };
}

/** The actions of links. @typedef {{ openNote: (note: string) => void, openFile: (id: string) => void }} LinkActions */

/** @param {LinkActions} actions */
const presses = ({ openNote, openFile }) =>
    EditorView.domEventHandlers({
        mousedown(event, view) {
            if (event.button !== 0 || !(event.target instanceof Element)) return false;
            const address = event.target.closest("[data-address]")?.getAttribute("data-address");
            // A tap opens the link unless the editor has the focus; otherwise the tap places the caret.
            const isRead = !view.hasFocus && matchMedia("(pointer: coarse)").matches;
            if (address && (event.ctrlKey || event.metaKey || isRead)) {
                event.preventDefault();
                const [note, file] = [noteOf(address), attachmentOf(address)];
                if (note) openNote(note);
                else if (file) openFile(file);
                else window.open(address, "_blank", "noopener,noreferrer");
                return true;
            }
            const box = event.target.closest(".cm-md-task");
            if (!box || event.shiftKey) return false;
            event.preventDefault();
            return tickAt(view, view.posAtDOM(box));
        },
    });

/**
 * @param {boolean} isLive true to hide marks that no caret touches, false to show the source
 * @param {LinkActions} actions
 */
export const markdown = (isLive, actions) => [language, marks(isLive), presses(actions)];

/** @type {readonly import("codemirror").KeyBinding[]} */
export const markdownKeys = [
    { key: "Enter", run: goOn },
    { key: "Backspace", run: deleteMark },
    { key: "Ctrl-Backspace", mac: "Alt-Backspace", run: deleteMark },
    // CodeMirror lets Tab leave the text after Escape.
    { key: "Tab", run: move(false), shift: move(true) },
    { key: "Mod-b", run: toggleWordMark("strong"), preventDefault: true },
    { key: "Mod-i", run: toggleWordMark("emphasis"), preventDefault: true },
    { key: "Mod-k", run: toggleLink, preventDefault: true },
];
