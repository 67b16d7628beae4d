/** Export and import of all flags in flagd's format, with a forecast of the import. */
import { openDialog } from "../../shared/dialog.js";
import { button, h } from "../../shared/dom.js";
import { saveFile } from "../../shared/save-file.js";
import { review } from "../changes/change-review.js";
import { curlButton, field } from "../controls/controls.js";
import { mayWriteSomething } from "../state/scopes.js";

/** @typedef {import("../frame.js").Context} Context */

/** @param {Context} context */
export function transferButton(context) {
    const { api, texts, environment, workspace, showError, signal } = context;
    const path = `${workspace.root}/flags.json`;
    const save = async () => {
        try {
            const { text, version } = await api.get(path, { signal });
            saveFile(`${environment.name}-flags-${version || workspace.version}.json`, "application/json", text);
        } catch (failure) {
            showError(failure);
        }
    };
    const open = () => {
        const writes = mayWriteSomething(environment.session.scopes);
        const dialog = openDialog(texts, {
            title: texts.say("screen.transfer"),
            body: [
                h("p", { class: "faint" }, texts.say("flags.transfer.lead")),
                h(
                    "div",
                    { class: "actions" },
                    button(texts.say("export"), save, "", "down"),
                    curlButton(context, path),
                ),
                writes && importing(context, path, () => dialog.close()),
            ],
        });
    };
    return button(texts.say("screen.transfer"), open, "quiet");
}

/**
 * @param {Context} context
 * @param {string} path
 * @param {() => void} close
 */
function importing(context, path, close) {
    const { texts, workspace, notify } = context;
    let text = "";
    /** @type {ReturnType<typeof review> | null} */
    let panel = null;
    const place = h("div", {});
    const file = h("input", {
        type: "file",
        accept: ".json,application/json",
        onchange: async () => {
            text = (await file.files?.[0]?.text()) ?? "";
            panel ??= review(context, {
                label: "import.go",
                message: texts.say("flags.import.message"),
                propose: () => (text ? { method: "PUT", path, query: {}, body: text, base: workspace.cursor } : null),
                onConflict: (late) => {
                    if (late) notify(texts.say("plan.moved"));
                    panel?.update();
                },
                done: close,
            });
            place.replaceChildren(panel.element);
            panel.update();
        },
    });
    return h(
        "section",
        {},
        h("h3", {}, texts.say("import")),
        h("p", { class: "faint" }, texts.say("flags.import.lead")),
        field(texts.say("import.file"), file),
        place,
    );
}
