/** The toolbar above the list: the number of selected notes, and the actions for them. */
import { button, h } from "../../shared/dom.js";
import { editTags } from "./tags.js";
import { moveToTrash, removeForGood, restore } from "./trash-actions.js";

/**
 * @typedef {object} SelectionToolsForm
 * @property {string[]} ids
 * @property {boolean} inTrash true if the notes are in the trash
 * @property {() => void} pin
 * @property {() => void} leave runs before the notes move elsewhere
 * @property {(() => void) | null} clearSelection null if no note is selected, so that the tools apply to the open note
 */

/**
 * @param {import("../frame.js").Context} context
 * @param {SelectionToolsForm} form
 */
export function selectionTools(context, { ids, inTrash, pin, leave, clearSelection }) {
    const { texts } = context;
    const does = (/** @type {string} */ text, /** @type {() => unknown} */ run, danger = false) =>
        button(texts.say(text), run, danger ? "quiet danger" : "quiet");
    const goes = (/** @type {string} */ text, /** @type {typeof restore} */ run) =>
        does(text, () => {
            leave();
            run(context, ids);
        });
    const inList = [
        does("list.pin", pin),
        does("list.tags.edit", () => editTags(context, ids)),
        goes("list.trash.move", moveToTrash),
    ];
    return [
        h("strong", { role: "status" }, texts.say("list.chosen.count", { n: ids.length })),
        inTrash
            ? [goes("list.restore", restore), does("list.remove", () => removeForGood(context, ids), true)]
            : inList,
        clearSelection && does("list.chosen.none", clearSelection),
    ];
}
