/** The owner, the kind, the expiry and the tags of a flag, and the items of its menu. */
import { button, h } from "../../shared/dom.js";
import { field } from "../controls/controls.js";
import { openMoveDialog } from "../entries/moves.js";
import { flagKinds, isArchived, metadataOf, withMetadata } from "../state/flags.js";
import { maxLength } from "../state/flags-edits.js";
import { writeTree } from "../state/flags-tree.js";
import { choice, input } from "./flags-fields.js";
import { openNewFlag } from "./flags-new.js";

/** @typedef {import("../state/flags-tree.js").Members} Members */

/**
 * @param {import("./flags-fields.js").Form} form
 * @param {object} flag
 * @param {() => Members} flag.definition
 * @param {(value: string) => void} flag.edit
 */
export function aboutView(form, { definition, edit }) {
    const { texts } = form;
    const labelOf = (/** @type {string} */ name) => `flags.column.${name}`;
    const text = (/** @type {string} */ name) => {
        const value = metadataOf(definition()).get(name) ?? "";
        return typeof value === "string" ? value : writeTree(value);
    };
    const setter = (/** @type {string} */ name) => (/** @type {string} */ to) =>
        edit(writeTree(withMetadata(definition(), name, to.trim() || undefined)));
    const one = (/** @type {string} */ name, /** @type {Record<string, any>} */ more, shown = text(name)) =>
        input(form, `/metadata/${name}`, labelOf(name), shown, setter(name), {
            fault: (/** @type {string} */ typed) => typed.trim().length > maxLength && texts.say("key.long"),
            ...more,
        });
    const kinds = flagKinds.map((kind) => /** @type {[string, string]} */ ([kind, texts.say(`flag.kind.${kind}`)]));
    const isDay = /^(?:\d{4}-\d\d-\d\d.*)?$/.test(text("expires"));
    /** @type {HTMLInputElement | HTMLTextAreaElement | undefined} */
    let day;
    const dayFault = (/** @type {string} */ typed) =>
        (day?.validity.badInput || (typed && !/^\d{4}-\d\d-\d\d$/.test(typed))) && texts.say("flag.expires.fault");
    const picker = { type: isDay ? "date" : "text", max: "9999-12-31", fault: dayFault };
    day = one("expires", picker, isDay ? text("expires").slice(0, 10) : undefined);
    const controls = {
        owner: one("owner", {}),
        kind: choice(form, "/metadata/kind", labelOf("kind"), [["", "–"], ...kinds], text("kind"), setter("kind")),
        expires: day,
        tags: one("tags", { placeholder: "checkout, ios" }),
    };
    return h(
        "div",
        { class: "flag-about", "data-path": "/metadata" },
        Object.entries(controls).map(([name, control]) => field(texts.say(labelOf(name)), control)),
    );
}

/**
 * Creates the items of a flag's menu that change the draft.
 * @param {import("../frame.js").Context} context
 * @param {string} key
 * @param {Members} definition
 * @param {(value: string) => void} edit
 */
export function flagActions(context, key, definition, edit) {
    const { texts } = context;
    const duplicate = () =>
        openMoveDialog(context, key, "duplicate", (next) => openNewFlag(context, next), "flag.duplicate");
    const archived = isArchived(definition);
    const archive = () => edit(writeTree(withMetadata(definition, "archived", archived ? undefined : true)));
    return [
        button(texts.say("flag.duplicate"), duplicate, "quiet"),
        button(texts.say(archived ? "flag.unarchive" : "flag.archive"), archive, "quiet"),
        h("p", { class: "hint" }, texts.say("flag.archive.hint")),
    ];
}
