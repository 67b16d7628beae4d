/** Confirmation dialogs for actions on several notes or without undo. */
import { openDialog } from "../../shared/dialog.js";
import { h } from "../../shared/dom.js";

/** @typedef {import("../../shared/texts.js").Texts} Texts */

/**
 * Asks for confirmation, then runs an action.
 * @param {Texts} texts
 * @param {{ title: string, text: import("../../shared/dom.js").Children, label: string, run: () => void,
 *     harms?: boolean }} form
 */
export function confirm(texts, { title, text, label, run, harms = true }) {
    const dialog = openDialog({
        title,
        body: h("p", {}, text),
        close: texts.say("close"),
        actions: [
            h("button", { type: "button", onclick: () => dialog.close() }, texts.say("cancel")),
            h(
                "button",
                {
                    type: "button",
                    class: harms ? "danger" : "primary",
                    onclick: () => {
                        dialog.close();
                        run();
                    },
                },
                label,
            ),
        ],
    });
    return dialog;
}
