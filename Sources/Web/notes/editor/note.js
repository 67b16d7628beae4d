/** The view of an open note: texts, tags, pin and status. */
import { fill, h } from "../../shared/dom.js";
import { iconButton } from "../icons.js";
import { TagField } from "../list/tag-field.js";
import { routeFragment } from "../route.js";
import { statusMark } from "../status.js";
import { status } from "../sync/record.js";
import { AddingFiles } from "./adding-files.js";
import { clipboard } from "./clipboard.js";
import { Field } from "./field.js";
import { FindBar, findExtension } from "./find.js";
import { LinkedFrom } from "./linked-from.js";
import { MarkBar } from "./mark-bar.js";
import { markdown, markdownKeys, toggleChecklist } from "./markdown.js";
import { NoteChoices } from "./note-choices.js";
import { NoteFiles } from "./note-files.js";
import { NoteLifetime } from "./note-lifetime.js";
import { noteMenu } from "./note-menu.js";
import { NoteNotice } from "./note-notice.js";
import { keepEdits } from "./past-edits.js";
import { Preview } from "./preview.js";
import { picturesIn, picturesOf } from "./shown-pictures.js";
import { TitlePaste } from "./title-paste.js";
import { WordCount } from "./word-count.js";

/** @import { Context } from "../frame.js" */
/** @import { NoteRecord } from "../sync/record.js" */
/** @import { PastEdits } from "./past-edits.js" */

/** The shortcut of the preview. No browser uses it in a page, and it is the same on each keyboard layout. */
export const previewKeys = "Mod+Enter";

export class OpenNote {
    #context;
    #texts;
    /** The tags of all notes. @type {string[]} */
    #known = [];

    /**
     * @param {Context} context
     * @param {NoteRecord} record
     * @param {PastEdits | null} past
     */
    constructor(context, record, past) {
        this.#context = context;
        this.#texts = context.texts;
        this.id = record.id;
        const changed = () => {
            this.lifetime.onTyping();
            this.#renderStatus();
        };
        // Apply changes of other devices that arrived during the composition.
        const composed = () => this.lifetime.saving.onRecordChange();
        const replaced = () => context.notify(this.#texts.say("editor.replaced"), undefined, "failure");
        const refuseFiles = () => context.notify(this.#texts.say("editor.files"), undefined, "failure");
        const say = (/** @type {string} */ key) => this.#texts.say(key);
        const titlePaste = new TitlePaste(this, past?.pasted);
        /** @type {Field} */
        this.title = new Field(record.text.title, {
            label: say("editor.title"),
            placeholder: say("editor.title"),
            isLine: true,
            extensions: titlePaste.forTitle,
            edits: past?.title,
            keys: [
                { key: "Enter", run: () => this.#toBody() },
                { key: "ArrowDown", run: () => this.#toBody() },
            ],
            changed,
            composed,
            replaced,
            files: refuseFiles,
        });
        const there = (/** @type {string} */ note) => ({ ...context.route, note, history: false });
        const addressOf = (/** @type {string} */ note) => routeFragment(there(note));
        this.files = new NoteFiles(context, () => picturesIn(this.body.view.state));
        this.adding = new AddingFiles(context, () => this.body.view);
        this.preview = new Preview({ addressOf, files: this.files.rendered }, say("editor.preview.waiting"));
        this.marks = new MarkBar(this.#texts, {
            addressOf,
            openFile: (id) => this.files.download(id),
            addPictures: this.adding.selectPictures,
        });
        this.count = new WordCount(this.#texts);
        this.links = new LinkedFrom(context, this.id, addressOf);
        const titled = (/** @type {string} */ words) => context.engine.titled(words, this.id);
        const isLive = context.settings.get("marks") !== "all";
        const choices = new NoteChoices(say("editor.link.note"), titled, context.fail);
        /** @type {Field} */
        this.body = new Field(record.text.body, {
            label: say("editor.body"),
            placeholder: say("editor.body.empty"),
            extensions: [
                markdown(isLive, {
                    openNote: (note) => context.navigate(there(note)),
                    openFile: (id) => this.files.download(id),
                }),
                isLive ? picturesOf(this.files) : [],
                this.adding.extension,
                clipboard(context),
                findExtension,
                this.preview.extension,
                this.marks.extension,
                choices.extension,
                this.count.extension,
                titlePaste.forBody,
            ],
            edits: past?.body,
            keys: [...choices.keys, { key: "Escape", run: () => this.finds.close() }, ...markdownKeys],
            changed,
            composed,
            replaced,
            files: (files, at) => this.adding.add(files, at),
        });
        this.finds = new FindBar(this.body.view, context.texts, context.keys);
        this.lifetime = new NoteLifetime(context, this, {
            record,
            drafts: { title: this.title.draft, body: this.body.draft },
            show: () => this.#show(),
            end: () => {
                keepEdits(context.engine, this.id, { ...this, pasted: titlePaste.pasted });
                for (const part of [this.preview, this.files, this.links, this.tags, this.count, this.title, this.body])
                    part.close();
            },
        });
        const { saving } = this.lifetime;
        this.tags = new TagField({
            texts: this.#texts,
            tags: record.text.tags,
            suggestions: () => this.#known,
            change: (tags) => {
                saving.setTags(tags);
                this.#renderStatus();
            },
        });
        // Other notes may have new tags since the note was opened.
        this.tags.input.addEventListener("focus", () => this.#learnTags());
        this.heading = h("h1", { class: "spoken" });
        this.status = h("p", { class: "note-status" });
        this.notice = new NoteNotice(context, () => this.lifetime.keepAsNew());
        this.pin = iconButton(context.texts, "pin", "editor.pin", () => {
            saving.setPinned(!saving.pinned);
            this.#show();
        });
        this.eye = iconButton(context.texts, "eye", "editor.preview", () => this.togglePreview());
        this.eye.title = `${say("editor.preview")} (${context.keys.format(previewKeys)})`;
        this.eye.setAttribute("aria-keyshortcuts", context.keys.ariaFormat(previewKeys));
        this.element = h(
            "article",
            { class: "note" },
            this.heading,
            h(
                "header",
                { class: "note-bar" },
                this.status,
                this.count.element,
                this.pin,
                this.eye,
                noteMenu(context, this),
            ),
            this.notice.element,
            this.title.element,
            this.tags.element,
            this.finds.element,
            this.body.element,
            this.preview.element,
            this.links.element,
            this.marks.element,
            this.adding.fields,
        );
        this.count.countSoon(this.body.view);
        this.#show();
        this.#learnTags();
    }

    /** Focuses the title of a new note. */
    focus() {
        const { title, body } = this.lifetime.saving.text;
        if (title === "" && body === "") this.title.view.focus();
    }

    /** Resolves when the text is on disk, with the files that are being added; rejected if it cannot be written. */
    async flush() {
        await this.adding.finished();
        await this.lifetime.flush();
    }

    /** Saves the text with the files that are being added, and closes the note. */
    async close() {
        await this.adding.finished();
        await this.lifetime.close();
    }

    togglePreview() {
        const isOn = this.#context.settings.get("view") === "preview";
        this.#context.settings.set("view", isOn ? null : "preview");
        this.finds.close();
        this.#show();
        if (isOn) this.body.view.focus();
    }

    /** True if the text is shown in the editor. */
    get isWritten() {
        return !this.body.element.hidden;
    }

    /** @param {string} words the list's search words */
    showListMatches(words) {
        this.#setWindowTitle();
        this.finds.showListMatches(words);
    }

    toggleChecklist() {
        if (!this.body.element.hidden) toggleChecklist(this.body.view);
    }

    /** Shows a place of the text, in the editor or the preview. @param {number} offset */
    jump(offset) {
        if (!this.isWritten) return this.preview.jump(offset);
        this.body.place = offset;
        this.body.view.dispatch({ selection: { anchor: offset } });
        this.body.view.focus();
    }

    /** The note's title, or a placeholder. */
    get name() {
        return this.title.draft.text || this.#texts.say("editor.untitled");
    }

    #toBody() {
        (this.body.element.hidden ? this.preview.element : this.body.view).focus();
        return true;
    }

    #show() {
        const { saving, failure } = this.lifetime;
        const { record } = saving;
        // A removed note may come back, and its text can be saved as a new note.
        const isFrozen = record !== null && record.place !== "list";
        this.#renderStatus();
        this.notice.show(this.id, record, failure);
        this.title.isFrozen = isFrozen;
        this.body.isFrozen = isFrozen;
        this.finds.isFrozen = isFrozen;
        this.tags.show(saving.tags);
        this.tags.element.hidden = isFrozen;
        this.pin.disabled = isFrozen;
        this.pin.setAttribute("aria-pressed", String(saving.pinned));
        const isPreview = this.#context.settings.get("view") === "preview";
        this.eye.setAttribute("aria-pressed", String(isPreview));
        this.marks.element.hidden = isPreview || isFrozen;
        if (isPreview) this.preview.show(this.body);
        else this.preview.hide(this.body);
    }

    #renderStatus() {
        const { record, isDirty } = this.lifetime.saving;
        const word = isDirty ? "inThisTab" : record ? status(record) : "inThisTab";
        if (this.status.dataset.status !== word) fill(this.status, statusMark(this.#texts, word));
        this.status.dataset.status = word;
        if (this.heading.textContent === this.name) return;
        fill(this.heading, this.name);
        this.#setWindowTitle();
    }

    /** Sets the window's title to the note's. */
    #setWindowTitle() {
        document.title = `${this.heading.textContent} · ${this.#texts.say("title")}`;
    }

    async #learnTags() {
        const { tags } = await this.#context.engine
            .list({ place: "list", order: "edited", limit: 0 })
            .catch(() => ({ tags: [] }));
        this.#known = tags.map(([tag]) => tag);
    }
}
