/** The editor: shows the note that the route names. */
import { fill, h } from "../../shared/dom.js";
import { OpenNote } from "./note.js";

/** @import { Context } from "../frame.js" */
/** @import { Route } from "../route.js" */

/** @param {Context} context */
export function open(context) {
    const element = h("section", { class: "note-pane" });
    /** @type {OpenNote | null} */
    let note = null;
    let wanted = "";

    context.keys.add(
        { keys: "Mod+Shift+p", label: "editor.preview", run: () => note?.togglePreview() },
        context.signal,
    );
    context.keys.add(
        { keys: "Mod+Shift+c", label: "editor.checklist", run: () => note?.toggleChecklist() },
        context.signal,
    );

    /** @param {Route} route */
    async function show(route) {
        if (route.note === wanted) return;
        wanted = route.note;
        const before = note;
        note = null;
        try {
            const [record] = await Promise.all([context.engine.note(route.note), before?.close()]);
            if (context.signal.aborted || wanted !== route.note) return;
            if (!record) {
                fill(
                    element,
                    h("h1", {}, context.texts.say("editor.none")),
                    h("p", {}, context.texts.say("editor.none.detail")),
                );
                return;
            }
            note = new OpenNote(context, record);
            fill(element, note.element);
            note.focus();
        } catch (failure) {
            wanted = "";
            context.fail(failure);
        }
    }

    return {
        element,
        show,
        flush: async () => note?.flush(),
        close: async () => {
            wanted = "";
            await note?.close();
            note = null;
        },
    };
}
