/** A dialog with a secret that cannot be shown again. */
import { confirm } from "../../shared/confirm.js";
import { openDialog } from "../../shared/dialog.js";
import { button, h } from "../../shared/dom.js";
import { copy } from "./controls.js";

/**
 * Shows a secret. Asks before the dialog closes while the secret has not been copied.
 * @param {import("../frame.js").Context} context
 * @param {object} form
 * @param {string} form.title
 * @param {() => HTMLElement} form.lead creates the text above the secret
 * @param {string} form.label the name of the field
 * @param {string} form.secret
 */
export function revealSecret(context, { title, lead, label, secret }) {
    const { texts } = context;
    let isCopied = false;
    const copySecret = async () => {
        if (await copy(context, secret)) isCopied = true;
    };
    const field = h("input", {
        class: "exact",
        value: secret,
        readonly: true,
        "aria-label": label,
        onfocus: () => field.select(),
        oncopy: () => {
            isCopied = true;
        },
    });
    const mayClose = () => {
        if (isCopied) return true;
        confirm(texts, {
            title: texts.say("secret.close"),
            body: lead(),
            answers: [
                { label: texts.say("secret.close"), kind: "danger", run: () => dialog.close() },
                { label: texts.say("copy"), kind: "primary", run: copySecret },
            ],
        });
        return false;
    };
    const dialog = openDialog(texts, {
        title,
        body: [lead(), field],
        actions: button(texts.say("copy"), copySecret, "primary", "copy"),
        cancel: null,
        mayClose,
        onClose: () => {
            field.value = "";
        },
    });
    field.focus();
}
