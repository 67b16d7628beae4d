/** The pictures and files of an open note. What shows them is loaded when the first is shown or added. */
import { h } from "../../shared/dom.js";
import { attachmentOf } from "../attachments/references.js";

/** @import { Context } from "../frame.js" */
/** @import { Files } from "../markdown/render.js" */
/** @import { FileViews } from "./file-views.js" */

/**
 * The alternative text can be edited if `onwords` is given; `onsize` runs when the height may have changed.
 * @typedef {{ onsize?: () => void, onwords?: (words: string) => void }} PictureHooks
 */

export class NoteFiles {
    #context;
    #pictures;
    /** @type {Promise<FileViews> | null} */
    #views = null;
    #isClosed = false;

    /**
     * @param {Pick<Context, "engine" | "texts" | "notify" | "fail">} context
     * @param {() => { id: string, words: string }[]} pictures returns the note's pictures in the order of the text
     */
    constructor(context, pictures) {
        this.#context = context;
        this.#pictures = pictures;
    }

    /** The elements of a rendered text. @type {Files} */
    rendered = {
        picture: (target, words) => {
            const id = attachmentOf(target);
            return id === null ? null : this.picture(id, words);
        },
        file: (target, content) => {
            const id = attachmentOf(target);
            return id === null ? null : this.#file(id, content);
        },
    };

    /**
     * Returns an element that shows a picture and follows its state.
     * @param {string} id
     * @param {string} words the alternative text
     * @param {PictureHooks} [hooks]
     */
    picture(id, words, hooks = {}) {
        const element = h("span", { class: "attachment" });
        this.#loaded((views) => views.showPicture(element, { id, words, ...hooks }));
        return element;
    }

    /**
     * Returns a button that downloads a file.
     * @param {string} id
     * @param {(Node | string)[]} content the link's text
     */
    #file(id, content) {
        const element = h(
            "button",
            { type: "button", class: "attachment-link", onclick: () => this.download(id) },
            ...content,
        );
        this.#loaded((views) => views.showFile(element, id));
        return element;
    }

    /** Saves a file in the browser's folder. @param {string} id */
    download(id) {
        this.#loaded((views) => views.download(id));
    }

    close() {
        this.#isClosed = true;
        this.#views?.then((views) => views.close()).catch(() => {});
    }

    /** @param {(views: FileViews) => unknown} use */
    #loaded(use) {
        this.#views ??= import("./file-views.js").then(({ FileViews }) => new FileViews(this.#context, this.#pictures));
        this.#views.then((views) => this.#isClosed || use(views)).catch(this.#context.fail);
    }
}
