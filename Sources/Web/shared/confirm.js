/** Dialogs that ask a question. */
import { openDialog } from "./dialog.js";
import { button } from "./dom.js";

/**
 * Opens a dialog with a button for each answer besides Cancel. A button closes the dialog, then runs its action.
 * @param {import("./texts.js").Texts} texts
 * @param {Omit<import("./dialog.js").DialogForm, "actions"> & { answers: { label: import("./dom.js").Children,
 *     kind?: string, run: () => unknown }[] }} form
 */
export function confirm(texts, { answers, ...form }) {
    const buttons = answers.map(({ label, kind, run }) => {
        const onclick = () => {
            dialog.close();
            run();
        };
        return button(label, onclick, kind);
    });
    const dialog = openDialog(texts, { ...form, actions: buttons });
    return dialog;
}
