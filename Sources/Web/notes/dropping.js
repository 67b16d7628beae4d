/** Files that are dropped anywhere on the page, which the browser would otherwise open in place of the page. */
import { droppedFiles } from "./move/dropped-files.js";

/** Hands dropped files to the import. */
export class DroppedFiles {
    #page;
    /** The files that the import has not taken yet. @type {Promise<File[]> | null} */
    #files = null;

    /**
     * @param {object} page
     * @param {() => boolean} page.isReady returns true if notes can be imported now
     * @param {() => void} page.showImport
     * @param {() => void} page.refuse
     */
    constructor(page) {
        this.#page = page;
        for (const kind of /** @type {const} */ (["dragover", "drop"]))
            addEventListener(kind, (event) => this.#catch(event));
    }

    /** Returns the dropped files, once. */
    take = () => {
        const files = this.#files;
        this.#files = null;
        return files;
    };

    /** @param {DragEvent} event */
    #catch(event) {
        // Editors and the field of the import take files themselves.
        if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        if (event.type !== "drop") return;
        if (!this.#page.isReady() || document.querySelector("dialog[open]")) return this.#page.refuse();
        this.#files = droppedFiles(event.dataTransfer);
        this.#page.showImport();
    }
}
