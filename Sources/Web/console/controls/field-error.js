/** The error below a field, shown after the user leaves the field, and updated while it is shown. */
import { fill, h, icon } from "../../shared/dom.js";

/** The number of errors so far, for unique ids. */
let errors = 0;

/**
 * Connects a field with its error. `data-invalid` marks the field as soon as its text is invalid.
 * @param {HTMLElement} field
 * @param {(error: HTMLElement) => void} [place] puts the error into the page when it is first shown
 */
export function fieldError(field, place = () => undefined) {
    errors += 1;
    const element = h("p", { class: "error", id: `field-error-${errors}`, role: "alert" });
    /** @type {import("../../shared/dom.js").Children} */
    let content = null;
    let isShown = false;
    /** The ids of the field's other descriptions. @type {string | null} */
    let others = null;
    const render = () => {
        if (isShown) {
            if (!element.parentNode) place(element);
            field.setAttribute("aria-invalid", "true");
            others ??= field.getAttribute("aria-describedby") ?? "";
            field.setAttribute("aria-describedby", `${element.id} ${others}`.trim());
        } else {
            field.removeAttribute("aria-invalid");
            if (others) field.setAttribute("aria-describedby", others);
            else if (others !== null) field.removeAttribute("aria-describedby");
        }
        fill(element, isShown && [icon("alert"), h("span", {}, content)]);
    };
    const reveal = () => {
        if (isShown || !content) return;
        isShown = true;
        render();
    };
    field.addEventListener("blur", () => {
        if (!document.querySelector(":active")) return reveal();
        // An error that appears now would move the button that is being pressed. A press may end without a click.
        const revealLater = () => field.isConnected && reveal();
        addEventListener("click", revealLater, { capture: true, once: true });
        addEventListener("pointerup", () => setTimeout(revealLater), { once: true });
    });
    field.addEventListener("reveal", reveal);
    /** @param {import("../../shared/dom.js").Children} next the error; null or false if the text is valid */
    const report = (next) => {
        content = next || null;
        field.toggleAttribute("data-invalid", content !== null);
        if (!content && !isShown) return;
        isShown &&= content !== null;
        render();
    };
    return { element, report, reveal };
}

/**
 * Shows the error of each invalid field and focuses the first one; returns false if there is none.
 * @param {ParentNode} root
 */
export function focusInvalid(root) {
    const fields = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-invalid]"));
    for (const field of fields) field.dispatchEvent(new Event("reveal"));
    fields[0]?.focus();
    return fields.length > 0;
}
