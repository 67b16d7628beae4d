/** The actions for notes of the list: in the toolbar of selected notes, in the menu of a row, and by swipes. */
import { openDialog } from "../../shared/dialog.js";
import { h, userText } from "../../shared/dom.js";
import { icon, iconButton } from "../icons.js";
import { editTags } from "./tags.js";
import { moveToTrash, removeForGood, restore } from "./trash-actions.js";

/** @typedef {import("../frame.js").Context} Context */

/**
 * @typedef {object} NoteAction
 * @property {string} key the text of its label
 * @property {string} label
 * @property {Parameters<typeof icon>[0]} picture
 * @property {boolean} [isDanger]
 * @property {boolean} [isLeaving] true if the notes leave the list at once; then `run` returns whether they do
 * @property {() => unknown} run
 */

/**
 * @typedef {object} Notes
 * @property {string[]} ids
 * @property {boolean} inTrash true if the notes are in the trash
 * @property {boolean} isPinned true if all notes are pinned
 * @property {(isPinned: boolean) => void} pin
 * @property {() => void} leave runs before the notes move elsewhere
 */

/** @param {Context} context @param {Notes} notes @returns {NoteAction[]} */
export function noteActions(context, { ids, inTrash, isPinned, pin, leave }) {
    /** @type {(key: string, picture: NoteAction["picture"], run: NoteAction["run"], more?: object) => NoteAction} */
    const action = (key, picture, run, more) => ({ key, label: context.texts.say(key), picture, run, ...more });
    const moved = (/** @type {typeof restore} */ move) => () => {
        leave();
        return move(context, ids);
    };
    if (inTrash)
        return [
            action("list.restore", "undo", moved(restore), { isLeaving: true }),
            action("list.remove", "remove", () => removeForGood(context, ids), { isDanger: true }),
        ];
    return [
        action(isPinned ? "list.pin.off" : "list.pin.on", "pin", () => pin(!isPinned)),
        action("list.tags.edit", "tag", () => editTags(context, ids)),
        action("list.trash.move", "remove", moved(moveToTrash), { isDanger: true, isLeaving: true }),
    ];
}

/**
 * Returns the toolbar of selected notes: their number, and the actions.
 * @param {Context} context
 * @param {Notes} notes
 * @param {(() => void) | null} clearSelection null if no note is selected, so that the tools apply to the open note
 */
export function selectionTools(context, notes, clearSelection) {
    const { texts } = context;
    const tools = noteActions(context, notes).map(({ key, picture, isDanger, run }) =>
        iconButton(texts, picture, key, run, `quiet square${isDanger ? " danger" : ""}`),
    );
    return [
        h("strong", { role: "status" }, texts.say("list.chosen.count", { n: notes.ids.length })),
        tools,
        clearSelection && iconButton(texts, "close", "list.chosen.none", clearSelection),
    ];
}

/** Returns the actions of swipes: the first and the last one. @param {Context} context @param {Notes} notes */
export function swipeActions(context, notes) {
    const actions = noteActions(context, notes);
    return [actions[0], actions[actions.length - 1]];
}

/**
 * Opens the menu of a row: at the pointer, or at the lower edge of a narrow window. In the menu of a selected row, the
 * actions are for all selected notes.
 * @param {Context} context
 * @param {object} list
 * @param {import("./rows.js").NoteRows} list.rows
 * @param {(ids: string[]) => Notes} list.notes
 * @param {() => boolean} list.isByHand
 * @param {(id: string, place: number) => void} list.place moves a note to a place in the list
 * @param {string} id
 * @param {{ x: number, y: number }} point
 */
export function openRowMenu(context, list, id, { x, y }) {
    const { texts } = context;
    const { rows } = list;
    const isSelected = rows.selected.has(id);
    const ids = isSelected ? [...rows.selected] : [id];
    const at = rows.ids.indexOf(id);
    const select = () => {
        rows.isSelecting = true;
        rows.toggle(at);
    };
    /** @type {(key: string, picture: NoteAction["picture"], run: () => unknown) => NoteAction} */
    const action = (key, picture, run) => ({ key, label: texts.say(key), picture, run });
    const others = [action("list.choose", "check", select)];
    if (list.isByHand())
        others.push(
            action("list.up", "up", () => list.place(id, at - 1)),
            action("list.down", "down", () => list.place(id, at + 2)),
        );
    const actions = noteActions(context, list.notes(ids)).toSpliced(-1, 0, ...(isSelected ? [] : others));
    const buttons = actions.map(({ label, picture, run, isDanger }) => {
        const onclick = () => {
            dialog.close();
            run();
        };
        const kind = isDanger ? "quiet danger" : "quiet";
        return h("button", { type: "button", class: kind, onclick }, icon(picture), label);
    });
    const title = isSelected
        ? texts.say("list.chosen.count", { n: ids.length })
        : userText(rows.form.view.summary(id)?.title || texts.say("list.untitled"));
    const dialog = openDialog(texts, { title, body: buttons, kind: "row-menu" });
    const { element } = dialog;
    element.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step === undefined) return;
        const focused = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
        buttons.at((focused + step) % buttons.length)?.focus();
        event.preventDefault();
    });
    const { width, height } = element.getBoundingClientRect();
    element.style.setProperty("--x", `${Math.max(0, Math.min(x, innerWidth - width))}px`);
    element.style.setProperty("--y", `${Math.max(0, Math.min(y, innerHeight - height))}px`);
    buttons[0].focus();
}
