/**
 * Edits that the browser makes itself, such as letters typed over a selection and keys of phones. Chromium joins lines
 * by inline styles that preserve their looks, which the page's policy refuses and reports, and deletes a mark character by
 * character. Here, commands join lines and delete marks.
 */
import { runScopeHandlers } from "codemirror";
import { markBefore } from "./lists.js";

/** @import { EditorView } from "codemirror" */

/** The keys whose commands replace the browser's deletions. @type {Record<string, KeyboardEventInit>} */
const keys = {
    deleteContentBackward: { key: "Backspace" },
    deleteContentForward: { key: "Delete" },
    deleteWordBackward: { key: "Backspace", ctrlKey: true },
    deleteWordForward: { key: "Delete", ctrlKey: true },
    deleteSoftLineBackward: { key: "Backspace" },
    deleteSoftLineForward: { key: "Delete" },
};

/**
 * Returns true if an edit joins lines.
 * @param {EditorView} view
 * @param {string} type
 */
function isJoining({ state: { doc, selection } }, type) {
    const { from, to, empty } = selection.main;
    const line = doc.lineAt(from);
    if (!empty) return to > line.to;
    return type.endsWith("Backward") ? from === line.from : type.endsWith("Forward") && from === line.to;
}

/** @param {EditorView} view */
export function handleNativeEdits(view) {
    // On iOS CodeMirror handles a key only after the browser's edit.
    if (navigator.vendor.startsWith("Apple")) return;
    // CodeMirror handles the event at its target, so this handler runs before.
    view.dom.addEventListener(
        "beforeinput",
        (event) => {
            const { inputType: type, data, cancelable } = event;
            const key = keys[type];
            const isOfMark = type.endsWith("Backward") && markBefore(view.state) !== null;
            if (!cancelable || view.composing || !(key || type === "insertText")) return;
            if (!isOfMark && !isJoining(view, type)) return;
            event.preventDefault();
            event.stopPropagation();
            if (key) runScopeHandlers(view, new KeyboardEvent("keydown", key), "editor");
            else
                view.dispatch(view.state.replaceSelection(data ?? ""), {
                    scrollIntoView: true,
                    userEvent: "input.type",
                });
        },
        true,
    );
    view.dom.addEventListener(
        "compositionstart",
        () => {
            if (isJoining(view, "")) view.dispatch(view.state.replaceSelection(""), { userEvent: "delete.selection" });
        },
        true,
    );
}
