/** The editor pane, which shows the note of the current route. */
import { fill, h } from "../../shared/dom.js";
import { routeFragment } from "../route.js";
import { OpenNote, previewKeys } from "./note.js";
import { pastEdits } from "./past-edits.js";
import { supportPrinting } from "./printing.js";

/** @import { Context } from "../frame.js" */
/** @import { Route } from "../route.js" */

/** @param {Context} context */
export function open(context) {
    const element = h("section", { class: "note-pane" });
    /** @type {OpenNote | null} */
    let note = null;
    let openID = "";
    /** The number of the latest request, to drop responses to earlier ones. */
    let openCount = 0;

    const { unsaved, environment } = context;
    const group = "note";
    const isWritten = () => note?.isWritten === true;
    for (const key of [
        {
            keys: previewKeys,
            label: "editor.preview",
            run: () => note?.togglePreview(),
            // Browsers open a focused link in a new tab by these keys.
            when: () => !document.activeElement?.closest("a"),
        },
        { keys: "Mod+Shift+c", label: "editor.checklist", run: () => note?.toggleChecklist() },
        // CodeMirror renders only the visible part of a long text, so the browser's own search would miss matches.
        { keys: "Mod+f", label: "editor.find", run: () => note?.finds.open(), when: isWritten },
        {
            keys: context.keys.replaceKeys,
            label: "editor.find.replace",
            run: () => note?.finds.open(true),
            when: isWritten,
        },
    ])
        context.keys.add({ ...key, group }, context.signal);
    supportPrinting(() => note, context.signal);

    /** @param {Route} route */
    async function show(route) {
        if (route.note === openID) return note?.showListMatches(route.query.q ?? "");
        const { note: id } = route;
        openID = id;
        const before = note;
        note = null;
        openCount += 1;
        const mine = openCount;
        try {
            // An edit of this note from earlier may not be on disk yet.
            const wasUnsaved = unsaved.find(id) !== undefined;
            let [record] = await Promise.all([wasUnsaved ? null : context.engine.note(id), before?.close()]);
            if (wasUnsaved && !unsaved.find(id)) record = await context.engine.note(id);
            if (context.signal.aborted || openCount !== mine) return;
            const past = record && (await pastEdits(context.engine, record));
            if (context.signal.aborted || openCount !== mine) return;
            const kept = unsaved.find(id);
            const shown = kept ?? (record && new OpenNote(context, record, past));
            if (!shown) {
                fill(
                    element,
                    h("h1", {}, context.texts.say("editor.none")),
                    h("p", {}, context.texts.say("editor.none.detail")),
                    h("p", {}, h("a", { href: routeFragment({ environment }) }, context.texts.say("list.place.list"))),
                );
                return;
            }
            note = shown;
            kept?.lifetime.reopen();
            fill(element, note.element);
            note.focus();
            note.showListMatches(context.route.query.q ?? "");
        } catch (failure) {
            if (openCount === mine) openID = "";
            context.fail(failure);
        }
    }

    // A missing note may have arrived.
    context.engine.addEventListener(
        "changed",
        (event) => {
            if (note || !(/** @type {CustomEvent<Set<string>>} */ (event).detail.has(openID))) return;
            openID = "";
            show(context.route);
        },
        { signal: context.signal },
    );

    return {
        element,
        show,
        flush: async () => note?.flush(),
        close: async () => {
            openID = "";
            openCount += 1;
            await note?.close();
            note = null;
        },
    };
}
