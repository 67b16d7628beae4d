/** Prints the open note: its whole text rendered, because the editor renders only the visible lines. */
import { fill, h } from "../../shared/dom.js";
import { render } from "../markdown/render.js";

/** @import { OpenNote } from "./note.js" */

/**
 * @param {() => OpenNote | null} openNote
 * @param {AbortSignal} signal ends the support of printing
 */
export function supportPrinting(openNote, signal) {
    const sheet = h("div", { class: "note-print markdown" });
    let windowTitle = "";
    addEventListener(
        "beforeprint",
        () => {
            const note = openNote();
            if (!note) return;
            const { title, body } = note.lifetime.saving.text;
            fill(
                sheet,
                title && h("h1", { dir: "auto" }, title),
                render(body, { level: 2, files: note.files.rendered }),
            );
            note.element.append(sheet);
            // Browsers suggest the window's title as the name of the file.
            windowTitle = document.title;
            document.title = note.name;
        },
        { signal },
    );
    addEventListener(
        "afterprint",
        () => {
            if (!sheet.isConnected) return;
            sheet.remove();
            document.title = windowTitle;
        },
        { signal },
    );
}
