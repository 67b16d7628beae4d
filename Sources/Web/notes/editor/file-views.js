/** Shows pictures and files of a note, with their states, and follows their changes. */
import { button, fill, h } from "../../shared/dom.js";
import { saveFile } from "../../shared/save-file.js";
import { pictureSize, pictureType } from "../attachments/pictures.js";
import { maxPixels } from "../attachments/references.js";
import { icon } from "../icons.js";
import { fileProblem } from "../problem-words.js";
import { openLargePicture } from "./large-picture.js";

/** @import { Attachment, Part } from "../attachments/attachment-view.js" */
/** @import { Context } from "../frame.js" */
/** @import { PictureHooks } from "./note-files.js" */

/** @typedef {PictureHooks & { id: string, words: string }} Shown */
/** A picture's address in this page; null for a file that is no picture or is too large to draw. @typedef {string | null} Address */

export class FileViews {
    #context;
    #pictures;
    #closing = new AbortController();
    /** The addresses by id and part. @type {Map<string, Address>} */
    #addresses = new Map();
    /** The elements that show attachments, with their renderings. @type {Map<HTMLElement, { id: string, render: () => Promise<void> }>} */
    #shown = new Map();
    /** @type {ResizeObserver} */
    #sizes;
    /** @type {WeakMap<Element, () => void>} */
    #onsize = new WeakMap();

    /**
     * @param {Pick<Context, "engine" | "texts" | "notify" | "fail">} context
     * @param {() => { id: string, words: string }[]} pictures
     */
    constructor(context, pictures) {
        this.#context = context;
        this.#pictures = pictures;
        this.#sizes = new ResizeObserver((entries) => {
            for (const { target } of entries) this.#onsize.get(target)?.();
        });
        const { signal } = this.#closing;
        context.engine.addEventListener(
            "attachments",
            (event) => this.#refresh(/** @type {CustomEvent<Set<string>>} */ (event).detail),
            { signal },
        );
        addEventListener("online", () => this.#refresh(null), { signal });
    }

    /** @param {HTMLElement} element @param {Shown} shown */
    showPicture(element, shown) {
        if (shown.onsize) {
            this.#onsize.set(element, shown.onsize);
            this.#sizes.observe(element);
        }
        this.#follow(element, shown.id, () => this.#renderPicture(element, shown));
    }

    /** Shows the size and state of a file after its name. @param {HTMLElement} element @param {string} id */
    showFile(element, id) {
        const fact = h("small", { class: "hint" });
        element.prepend(icon("clip"));
        element.append(fact);
        this.#follow(element, id, async () => {
            const attachment = await this.#context.engine.attachment(id);
            fill(fact, this.#factsOf(attachment));
        });
    }

    /** Saves a file in the browser's folder. @param {string} id */
    async download(id) {
        const { engine, texts, notify } = this.#context;
        const [attachment, content] = [await engine.attachment(id), await engine.attachmentContent(id, "file")];
        if (!attachment || !content) return notify(texts.say("file.away.notice"), undefined, "failure");
        saveFile(attachment.name, "application/octet-stream", new Blob(content.pieces));
    }

    /**
     * Returns the address of a picture, null for a file that can't be drawn, or undefined if its bytes can't be read now.
     * @param {string} id
     * @param {Part} part
     * @returns {Promise<Address | undefined>}
     */
    async address(id, part) {
        const key = `${part} ${id}`;
        const known = this.#addresses.get(key);
        if (known !== undefined) return known;
        const content = await this.#context.engine.attachmentContent(id, part);
        if (!content || this.#closing.signal.aborted) return undefined;
        const bytes = new Uint8Array(await new Blob(content.pieces).arrayBuffer());
        const [type, size] = [pictureType(bytes), pictureSize(bytes)];
        const isDrawn = type !== null && size !== null && size.width * size.height <= maxPixels;
        const made = isDrawn ? URL.createObjectURL(new Blob([bytes], { type })) : null;
        this.#addresses.set(key, made);
        return made;
    }

    close() {
        this.#closing.abort();
        this.#sizes.disconnect();
        for (const address of this.#addresses.values()) if (address) URL.revokeObjectURL(address);
    }

    /**
     * @param {HTMLElement} element
     * @param {string} id
     * @param {() => Promise<void>} render
     */
    #follow(element, id, render) {
        this.#shown.set(element, { id, render });
        render().catch(this.#context.fail);
    }

    /** @param {Set<string> | null} ids null for all */
    #refresh(ids) {
        for (const [element, { id, render }] of this.#shown) {
            if (!element.isConnected) {
                this.#shown.delete(element);
                this.#sizes.unobserve(element);
            } else if (ids?.has(id) ?? true) render().catch(this.#context.fail);
        }
    }

    /** @param {HTMLElement} element @param {Shown} shown */
    async #renderPicture(element, { id, words, onwords }) {
        const { engine, texts } = this.#context;
        const attachment = await engine.attachment(id);
        const address = attachment?.state === "removed" ? undefined : await this.address(id, "preview");
        if (this.#closing.signal.aborted) return;
        const kind =
            attachment?.state === "removed" ? "removed" : address ? "picture" : address === null ? "file" : "away";
        if (element.dataset.kind !== kind) {
            element.dataset.kind = kind;
            const facts = h("span", { class: "attachment-facts" });
            if (address) {
                const row = h("span", { class: "attachment-row" }, onwords && this.#wordsField(words, onwords), facts);
                fill(element, this.#pictureButton(attachment, { id, words, address }), row);
            } else {
                const name = kind === "removed" ? texts.say("file.removed") : attachment?.name || words;
                const save = kind === "file" && button(texts.say("file.save"), () => this.download(id));
                fill(element, icon(icons[kind]), h("span", {}, name || texts.say("file.unnamed")), facts, save);
            }
        }
        const facts = /** @type {HTMLElement} */ (element.querySelector(".attachment-facts"));
        if (kind === "removed") fill(facts, words);
        else if (address && attachment?.state === "stored") fill(facts);
        else fill(facts, this.#factsOf(attachment, kind === "away"));
    }

    /**
     * Returns a picture that opens large.
     * @param {Attachment | null} attachment
     * @param {{ id: string, words: string, address: string }} picture
     */
    #pictureButton(attachment, { id, words, address }) {
        const label = this.#context.texts.say("file.open", { name: words || attachment?.name || "" });
        const { width, height } = attachment ?? {};
        const onclick = () => openLargePicture({ ...this.#context, views: this }, this.#pictures(), id);
        const image = h("img", { src: address, alt: "", width, height, draggable: "false" });
        return h("button", { type: "button", class: "attachment-open", "aria-label": label, onclick }, image);
    }

    /** @param {string} words @param {(words: string) => void} onwords */
    #wordsField(words, onwords) {
        const label = this.#context.texts.say("file.words");
        const field = h("input", { value: words, "aria-label": label, placeholder: label, maxlength: 1000 });
        const commit = () => field.value !== words && onwords(field.value);
        field.addEventListener("change", commit);
        field.addEventListener("keydown", (event) => {
            event.stopPropagation();
            if (event.key === "Enter") field.blur();
        });
        return field;
    }

    /**
     * Returns the size of a file and its state, unless the server has it.
     * @param {Attachment | null} attachment
     * @param {boolean} [isAway] true if its bytes are not on this device
     */
    #factsOf(attachment, isAway = false) {
        const { engine, texts, fail } = this.#context;
        if (!attachment) return [h("span", { class: "hint" }, texts.say("file.unknown"))];
        const { id, state, bytes, sent } = attachment;
        const parts = [h("span", { class: "hint" }, texts.size(bytes))];
        if (isAway) parts.push(h("span", { class: "hint" }, texts.say("file.away")));
        if (state === "kept") {
            const n = Math.floor((sent / bytes) * 100);
            const text = sent > 0 ? texts.say("file.sending", { percent: n }) : texts.say("status.onThisDevice");
            parts.push(h("span", { class: "attachment-state" }, icon("device"), text));
        }
        if (state === "refused") {
            const reason = texts.say("file.refused", { detail: fileProblem(texts, attachment.problem) });
            const again = button(texts.say("retry"), () => engine.resendAttachment(id).catch(fail));
            parts.push(h("span", { class: "attachment-state refused" }, icon("alert"), reason), again);
        }
        return parts;
    }
}

/** @type {Record<string, "remove" | "clip" | "picture">} */
const icons = { removed: "remove", file: "clip", away: "picture" };
