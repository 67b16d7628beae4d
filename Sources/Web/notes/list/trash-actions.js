/** Moves notes to the trash, restores them and removes them for good. */
import { confirm } from "../../shared/confirm.js";
import { h } from "../../shared/dom.js";

/** @typedef {import("../frame.js").Context} Context */

/**
 * Moves notes to the trash and offers undo for a moment. Returns true unless it failed.
 * @param {Context} context
 * @param {string[]} ids
 */
export async function moveToTrash({ engine, texts, notify, fail }, ids) {
    try {
        await engine.moveAllToTrash(ids);
        const back = () => engine.takeAllOut(ids).catch(fail);
        notify(texts.say("list.trashed", { n: ids.length }), { label: texts.say("undo"), run: back });
        return true;
    } catch (failure) {
        fail(failure);
        return false;
    }
}

/**
 * Takes notes out of the trash. Returns true unless it failed.
 * @param {Context} context
 * @param {string[]} ids
 */
export async function restore({ engine, texts, notify, fail }, ids) {
    try {
        await engine.takeAllOut(ids);
        notify(texts.say("list.restored", { n: ids.length }));
        return true;
    } catch (failure) {
        fail(failure);
        return false;
    }
}

/** Asks for confirmation, then removes notes on every device. @param {Context} context @param {string[]} ids */
export function removeForGood({ engine, texts, notify, fail }, ids) {
    const n = ids.length;
    const run = async () => {
        try {
            await engine.removeAllForGood(ids);
            notify(texts.say("list.removed", { n }));
        } catch (failure) {
            fail(failure);
        }
    };
    const [title, text, label] = ["title", "text", "button"].map((part) => texts.say(`list.remove.${part}`, { n }));
    const answers = [{ label, kind: "danger", run }];
    confirm(texts, { title, body: h("p", {}, text), answers });
}

/**
 * Asks for confirmation, then removes the notes that the trash contained at the time of the question.
 * @param {Context} context
 */
export async function emptyTrash(context) {
    try {
        const { ids } = await context.engine.list({ place: "trash", order: "edited" });
        if (ids.length > 0) removeForGood(context, [...ids]);
    } catch (failure) {
        context.fail(failure);
    }
}
