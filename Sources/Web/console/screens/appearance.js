/** The dialog that changes how the console shows an environment, for administrators. */
import { confirm } from "../../shared/confirm.js";
import { h } from "../../shared/dom.js";
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
    /** @param {{ color: string | null, caution: boolean | null }} body */
    const save = async (body) => {
        try {
            await api.send("PUT", `${workspace.root}/appearance`, { body });
            await reload();
            notify(texts.say("appearance.done"));
        } catch (failure) {
            showError(failure);
        }
    };
    confirm(texts, {
        title: texts.say("appearance.title", { name: environment.name }),
        body: [
            field(texts.say("appearance.color"), color),
            h("label", { class: "tick" }, caution, h("span", {}, texts.say("appearance.caution"))),
        ],
        answers: [
            { label: texts.say("appearance.reset"), run: () => save({ color: null, caution: null }) },
            {
                label: texts.say("appearance.save"),
                kind: "primary",
                run: () => save({ color: color.value, caution: caution.checked }),
            },
        ],
    });
}
