/** A picture of a note as large as the window, with the note's other pictures before and after it. */
import { openDialog } from "../../shared/dialog.js";
import { button, fill, h, userText } from "../../shared/dom.js";

/** @import { Context } from "../frame.js" */
/** @import { FileViews } from "./file-views.js" */

/**
 * @param {Pick<Context, "texts" | "fail"> & { views: FileViews }} context
 * @param {{ id: string, words: string }[]} pictures
 * @param {string} first the id of the picture to show first
 */
export function openLargePicture({ texts, fail, views }, pictures, first) {
    let at = Math.max(
        0,
        pictures.findIndex(({ id }) => id === first),
    );
    const title = h("span", {});
    const place = h("div", { class: "attachment-large", tabindex: "0" });
    const step = (/** @type {number} */ by) => {
        at = (at + by + pictures.length) % pictures.length;
        show().catch(fail);
    };
    const others = [button(texts.say("file.previous"), () => step(-1)), button(texts.say("file.next"), () => step(1))];
    const save = button(texts.say("file.save"), () => views.download(pictures[at]?.id ?? first), "primary");

    async function show() {
        const { id, words } = pictures[at] ?? { id: first, words: "" };
        const image = h("img", { alt: words });
        fill(title, words ? userText(words) : texts.say("file.picture"));
        fill(place, image);
        place.setAttribute("aria-label", words || texts.say("file.picture"));
        const preview = await views.address(id, "preview");
        if (preview) image.src = preview;
        const file = await views.address(id, "file");
        if (file) image.src = file;
    }

    const dialog = openDialog(texts, {
        title,
        body: place,
        kind: "large-picture",
        actions: pictures.length > 1 ? [...others, save] : save,
        cancel: null,
    });
    dialog.element.addEventListener("keydown", ({ key }) => {
        if (pictures.length < 2) return;
        if (key === "ArrowLeft") step(-1);
        if (key === "ArrowRight") step(1);
    });
    show().catch(fail);
}
