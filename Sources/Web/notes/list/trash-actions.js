/** Into the trash, out of it again, and out of it for good. */
import { ask } from "./asking.js";

/** @typedef {import("../frame.js").Context} Context */

/**
 * Puts notes into the trash; for a moment they can be taken out again from where one is.
 * @param {Context} context
 * @param {string[]} ids
 */
export async function moveToTrash({ engine, texts, notify, fail }, ids) {
    try {
        await engine.moveAllToTrash(ids);
        const back = () => engine.takeAllOut(ids).catch(fail);
        notify(texts.say("list.trashed", { n: ids.length }), { label: texts.say("list.undo"), run: back });
    } catch (failure) {
        fail(failure);
    }
}

/**
 * @param {Context} context
 * @param {string[]} ids
 */
export async function restore({ engine, texts, notify, fail }, ids) {
    try {
        await engine.takeAllOut(ids);
        notify(texts.say("list.restored", { n: ids.length }));
    } catch (failure) {
        fail(failure);
    }
}

/**
 * Asks, and removes notes here and everywhere.
 * @param {Context} context
 * @param {string[]} ids
 */
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
    ask(texts, { title, text, label, run });
}

/**
 * Asks, and removes all that is in the trash when the answer is given.
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
