/** The dialog that changes how the console shows an environment, for administrators. */
import { openDialog } from "../../shared/dialog.js";
import { button, h } from "../../shared/dom.js";
import { field } from "../controls/controls.js";

/**
 * @param {import("../frame.js").Context} context
 * @param {() => Promise<void>} reload loads the environments again
 */
export function openAppearance({ api, texts, environment, workspace, notify, showError }, reload) {
    const color = h("input", {
        type: "color",
        class: "picker",
        value: document.documentElement.style.getPropertyValue("--environment"),
    });
    const caution = h("input", { type: "checkbox", checked: environment.caution });
    /**
     * Creates a button that saves; the dialog stays open until it has.
     * @param {string} name a key of the texts
     * @param {() => { color: string | null, caution: boolean | null }} body
     * @param {string} [kind] a CSS class
     */
    const save = (name, body, kind) => {
        const run = async () => {
            try {
                await api.send("PUT", `${workspace.root}/appearance`, { body: body() });
                dialog.close();
                await reload();
                notify(texts.say("appearance.done"));
            } catch (failure) {
                showError(failure);
            }
        };
        return button(texts.say(name), run, kind);
    };
    const dialog = openDialog(texts, {
        title: texts.say("appearance.title", { name: environment.name }),
        body: [
            field(texts.say("appearance.color"), color),
            h("label", { class: "tick" }, caution, h("span", {}, texts.say("appearance.caution"))),
        ],
        actions: [
            save("appearance.reset", () => ({ color: null, caution: null })),
            save("appearance.save", () => ({ color: color.value, caution: caution.checked }), "primary"),
        ],
    });
}
