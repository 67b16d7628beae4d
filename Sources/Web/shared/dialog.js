/** Modal dialogs and menus. */

import { button, fill, h, icon, squareButton } from "./dom.js";
import { enterLayer } from "./layer-history.js";

/**
 * @typedef {object} DialogForm
 * @property {import("./dom.js").Children} title
 * @property {import("./dom.js").Children} body
 * @property {import("./dom.js").Children} [actions] the buttons at the end of the footer, the main one last
 * @property {import("./dom.js").Child} [tool] a button far before Cancel, which leaves the dialog open
 * @property {import("./dom.js").Children} [cancel] the label of the footer's button that only closes the dialog; null
 * for none
 * @property {string} [kind] a CSS class
 * @property {() => boolean} [mayClose] returns false while Esc, the close button and the backdrop keep the dialog open
 * @property {() => void} [onClose]
 */

let number = 0;

/**
 * Opens a modal dialog. The browser restores the focus when the dialog closes.
 * @param {import("./texts.js").Texts} texts
 * @param {DialogForm} form
 */
export function openDialog(texts, form) {
    const { actions, tool, cancel = texts.say("cancel") } = form;
    number += 1;
    const id = `dialog-${number}`;
    const title = h("h2", { id }, form.title);
    const body = h("div", { class: "dialog-body", tabindex: "-1" }, form.body);
    const cross = squareButton(texts.say("close"), icon("close"), () => dismiss());
    const dialog = h("dialog", { class: form.kind ?? "", "aria-labelledby": id }, h("header", {}, title, cross), body);
    const back = !cancel ? [] : [tool, h("span", { class: "space" }), button(cancel, () => dismiss())];
    if (actions) dialog.append(h("footer", {}, ...back, actions));
    dialog.addEventListener("close", () => {
        dialog.remove();
        form.onClose?.();
    });
    // A press on the backdrop has the dialog itself as its target.
    dialog.addEventListener("pointerdown", (event) => {
        if (event.target === dialog) dismiss();
    });
    const { mayClose } = form;
    if (mayClose) {
        // Chromium closes the dialog at the second Esc even if `cancel` is prevented, so the key is prevented too.
        for (const kind of ["keydown", "cancel"])
            dialog.addEventListener(kind, (event) => {
                if (event instanceof KeyboardEvent && event.key !== "Escape") return;
                event.preventDefault();
                dismiss();
            });
    }
    const close = () => dialog.close();
    const dismiss = () => mayClose?.() !== false && close();
    document.body.append(dialog);
    dialog.showModal();
    enterLayer();
    return {
        element: dialog,
        body,
        close,
    };
}

/**
 * Attaches a menu to a button.
 * @param {HTMLButtonElement} button
 * @param {() => import("./dom.js").Children} choices creates the menu's items at each opening
 */
export function menu(button, choices) {
    const list = h("div", { class: "menu", hidden: true });
    const box = h("div", { class: "menu-box" }, button, list);
    /** @param {boolean} open */
    const show = (open) => {
        list.hidden = !open;
        button.setAttribute("aria-expanded", String(open));
        if (open) {
            enterLayer();
            fill(list, choices());
            const first = list.querySelector("[aria-current]") ?? list.querySelector("a, button, select");
            /** @type {HTMLElement | null} */ (first)?.focus();
        }
    };
    show(false);
    button.addEventListener("click", () => show(list.hidden === true));
    list.addEventListener("click", (event) => {
        if (event.target instanceof Element && event.target.closest("a, button")) show(false);
    });
    box.addEventListener("focusout", (event) => {
        if (!(event.relatedTarget instanceof Node && box.contains(event.relatedTarget))) show(false);
    });
    box.addEventListener("keydown", (event) => {
        if (list.hidden) return;
        const items = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("a, button, select")]);
        const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
        if (event.key === "Escape") {
            show(false);
            button.focus();
        } else if (event.target instanceof HTMLSelectElement) return;
        else if (event.key === "ArrowDown") items[(at + 1) % items.length]?.focus();
        else if (event.key === "ArrowUp") items[(at - 1 + items.length) % items.length]?.focus();
        else return;
        event.preventDefault();
    });
    return box;
}
