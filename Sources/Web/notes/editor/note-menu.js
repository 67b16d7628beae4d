/** The menu of an open note. */
import { menu } from "../../shared/dialog.js";
import { button, h } from "../../shared/dom.js";
import { iconButton } from "../icons.js";
import { moveToTrash } from "../list/trash-actions.js";
import { routeFragment } from "../route.js";
import { openNoteFacts } from "./note-facts.js";
import { openOutline } from "./outline.js";

/** @import { Context } from "../frame.js" */
/** @import { OpenNote } from "./note.js" */

/**
 * @param {Context} context
 * @param {OpenNote} note
 */
export function noteMenu(context, note) {
    const { environment, texts, notify, fail } = context;
    const { id, lifetime } = note;

    async function copyLink() {
        const fragment = routeFragment({ environment, note: id });
        try {
            await navigator.clipboard.writeText(new URL(fragment, location.href).href);
            notify(texts.say("editor.copied"));
        } catch (failure) {
            fail(failure);
        }
    }

    async function trash() {
        try {
            await lifetime.flush();
        } catch (failure) {
            return fail(failure);
        }
        // Leaving a new note without any change removes it.
        if (!lifetime.saving.record?.isUnwritten) await moveToTrash(context, [id]);
        context.navigate({ ...context.route, note: "", history: false });
    }

    const choice = (/** @type {string} */ key, /** @type {() => void} */ onclick) =>
        button(texts.say(key), onclick, "quiet");
    return menu(
        iconButton(texts, "more", "editor.more", () => {}),
        () => {
            const { record, text } = lifetime.saving;
            const isListed = record?.place === "list";
            return [
                !record?.isUnwritten &&
                    h(
                        "a",
                        { href: routeFragment({ environment, note: id, history: true }) },
                        texts.say("history.title"),
                    ),
                note.isWritten && choice("editor.find", () => note.finds.open()),
                choice("editor.outline", () =>
                    openOutline(
                        texts,
                        () => note.body.draft.text,
                        (offset) => note.jump(offset),
                    ),
                ),
                record && choice("editor.about", () => openNoteFacts(texts, record, text.body)),
                choice("editor.copy", copyLink),
                choice("editor.print", () => print()),
                isListed && choice("file.add", () => note.adding.selectPictures()),
                isListed && choice("file.attach", () => note.adding.selectFiles()),
                isListed && choice("editor.checklist", () => note.toggleChecklist()),
                isListed && choice("list.trash.move", trash),
            ];
        },
    );
}
