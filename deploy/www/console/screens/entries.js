/** The entries. */
import { fill, h } from "../../shared/dom.js";

/** @param {import("../frame.js").Context} context */
export function open({ workspace, texts, signal }) {
    const element = h("section", { class: "entries" });
    const show = () =>
        fill(element, h("h1", {}, texts.say("screen.entries")), h("p", {}, texts.number(workspace.table.count)));
    workspace.addEventListener("change", show, { signal });
    show();
    return { element, show };
}
