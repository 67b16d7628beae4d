/** A note that is open: its texts, its tags, its pin, and where all that is saved. */
import { menu } from "../../shared/dialog.js";
import { fill, h } from "../../shared/dom.js";
import { iconButton } from "../icons.js";
import { TagField } from "../list/tag-field.js";
import { moveToTrash } from "../list/trash-actions.js";
import { routeFragment } from "../route.js";
import { statusMark } from "../status.js";
import { status } from "../sync/record.js";
import { openAbout } from "./about.js";
import { Field } from "./field.js";
import { FindBar, finding } from "./find.js";
import { markdown, markdownKeys, toggleChecklist } from "./markdown.js";
import { Preview } from "./preview.js";
import { Saving } from "./saving.js";

/** @import { Context } from "../frame.js" */
/** @import { NoteRecord } from "../sync/record.js" */
/** @import { News } from "./saving.js" */

/** After how many milliseconds what the device's storage refused is tried again. */
const patience = 3000;
/**
 * How long nothing is typed until what others changed is asked for, in milliseconds: before, what is typed is brought to
 * the disk, and comes back with it.
 */
const rest = 100;

export class OpenNote {
    #context;
    #texts;
    #closing = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #again;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #hearing;
    #typedAt = Number.NEGATIVE_INFINITY;
    #isClosed = false;
    /** @type {unknown} */
    #failure = null;
    #wasInList;
    /** What the notice says, so that it is said once. */
    #said = "";
    /** The tags of all notes. @type {string[]} */
    #known = [];

    /**
     * @param {Context} context
     * @param {NoteRecord} record
     */
    constructor(context, record) {
        this.#context = context;
        this.#texts = context.texts;
        this.id = record.id;
        this.#wasInList = record.place === "list";
        const changed = () => this.#changed();
        // What came from elsewhere meanwhile.
        const composed = () => this.saving.moved();
        const replaced = () => context.notify(this.#texts.say("editor.replaced"));
        const refused = () => context.notify(this.#texts.say("editor.files"));
        const say = (/** @type {string} */ key) => this.#texts.say(key);
        this.title = new Field(record.text.title, {
            label: say("editor.title"),
            placeholder: say("editor.title"),
            isLine: true,
            keys: [
                { key: "Enter", run: () => this.#toBody() },
                { key: "ArrowDown", run: () => this.#toBody() },
            ],
            changed,
            composed,
            replaced,
            refused,
        });
        this.preview = new Preview();
        this.body = new Field(record.text.body, {
            label: say("editor.body"),
            placeholder: say("editor.body.empty"),
            extensions: [markdown, finding, this.preview.extension],
            keys: [{ key: "Escape", run: () => this.finds.close() }, ...markdownKeys],
            changed,
            composed,
            replaced,
            refused,
        });
        this.finds = new FindBar(this.body.view, context.texts);
        this.saving = new Saving({
            disk: context.engine,
            record,
            drafts: { title: this.title.draft, body: this.body.draft },
            tell: (news) => this.#tell(news),
        });
        this.tags = new TagField({
            texts: this.#texts,
            tags: record.text.tags,
            suggestions: () => this.#known,
            change: (tags) => {
                this.saving.setTags(tags);
                this.#tellStatus();
            },
        });
        // Others may have been given since the note was opened.
        this.tags.input.addEventListener("focus", () => this.#learnTags());
        this.heading = h("h1", { class: "spoken" });
        this.status = h("p", { class: "note-status" });
        this.notice = h("div", { class: "note-notice", role: "status", hidden: true });
        this.pin = iconButton(context.texts, "pin", "editor.pin", () => {
            this.saving.setPinned(!this.saving.pinned);
            this.#show();
        });
        this.eye = iconButton(context.texts, "eye", "editor.preview", () => this.togglePreview());
        const more = iconButton(context.texts, "more", "editor.more", () => {});
        this.element = h(
            "article",
            { class: "note" },
            this.heading,
            h(
                "header",
                { class: "note-bar" },
                this.status,
                this.pin,
                this.eye,
                menu(more, () => this.#choices()),
            ),
            this.notice,
            this.title.element,
            this.tags.element,
            this.finds.element,
            this.body.element,
            this.preview.element,
        );
        this.#listen();
        this.#show();
        this.#learnTags();
    }

    /** Where the caret is to be in a note that was just made. */
    focus() {
        const { title, body } = this.saving.text;
        if (title === "" && body === "") this.title.view.focus();
    }

    togglePreview() {
        const isOn = this.#context.settings.get("view") === "preview";
        this.#context.settings.set("view", isOn ? null : "preview");
        this.finds.close();
        this.#show();
        if (isOn) this.body.view.focus();
    }

    /** Whether its text is shown as it is written. */
    get isWritten() {
        return !this.body.element.hidden;
    }

    find() {
        this.finds.open();
    }

    /** @param {string} words that were looked for in the list */
    seek(words) {
        this.#tellWindow();
        this.finds.lead(words);
    }

    toggleChecklist() {
        if (!this.body.element.hidden) toggleChecklist(this.body.view);
    }

    /** Is kept when all of it is on the disk; rejected where it cannot be. */
    async flush() {
        await this.saving.finished();
        if (this.saving.isDirty && this.saving.record) {
            this.saving.retry();
            await this.saving.finished();
        }
        if (this.saving.isDirty) throw this.#failure ?? new Error(this.#texts.say("editor.unsaved"));
    }

    /** What it is called by. */
    get name() {
        return this.title.draft.text || this.#texts.say("editor.untitled");
    }

    /** Whether the disk has refused what is here. */
    get isRefused() {
        return this.#failure !== null && this.saving.isDirty;
    }

    /** Brings to the disk what is here. Where the disk refuses it, it is tried again until it does not. */
    async close() {
        this.#isClosed = true;
        this.#context.frame.unsaved.add(this);
        await this.saving.finished();
        if (!this.#isClosed) return;
        if (!this.saving.isDirty) this.#end();
        else if (!this.saving.record) await this.#keep().catch(this.#context.fail);
    }

    /** Is shown again, before all of it was on the disk. */
    reopen() {
        this.#isClosed = false;
        if (!this.isRefused) this.#context.frame.unsaved.delete(this);
        this.#show();
    }

    #end() {
        if (this.#closing.signal.aborted) return;
        this.#closing.abort();
        this.#context.frame.unsaved.delete(this);
        clearTimeout(this.#again);
        clearTimeout(this.#hearing);
        this.preview.close();
        this.tags.close();
        this.title.close();
        this.body.close();
    }

    #listen() {
        const { signal } = this.#closing;
        this.#context.engine.addEventListener(
            "changed",
            (event) => {
                const ids = /** @type {CustomEvent<Set<string>>} */ (event).detail;
                if (ids.has(this.id)) this.#hear();
            },
            { signal },
        );
        this.#context.engine.addEventListener("lost", () => this.saving.lost(), { signal });
        // Only where nothing is typed afterwards: what is typed then has no base that has what was sent so.
        addEventListener("pagehide", ({ persisted }) => !persisted && this.saving.flush(), { signal });
        addEventListener(
            "beforeunload",
            // Only where the disk has refused what is here.
            (event) => this.#failure && this.saving.isDirty && event.preventDefault(),
            { signal },
        );
    }

    #choices() {
        const { environment } = this.#context;
        const choice = (/** @type {string} */ key, /** @type {() => void} */ onclick) =>
            h("button", { type: "button", class: "quiet", onclick }, this.#texts.say(key));
        const { record } = this.saving;
        const past = routeFragment({ environment, note: this.id, history: true });
        return [
            h("a", { href: past }, this.#texts.say("editor.history")),
            this.isWritten && choice("editor.find", () => this.find()),
            record && choice("editor.about", () => openAbout(this.#texts, record, this.saving.text.body)),
            choice("editor.copy", () => this.#copyLink()),
            record?.place === "list" && choice("editor.checklist", () => this.toggleChecklist()),
            record?.place === "list" && choice("editor.trash", () => this.#moveToTrash()),
        ];
    }

    #toBody() {
        (this.body.element.hidden ? this.preview.element : this.body.view).focus();
        return true;
    }

    /** The record was changed, here or elsewhere. */
    #hear() {
        clearTimeout(this.#hearing);
        const wait = this.#typedAt + rest - performance.now();
        if (wait <= 0) this.saving.moved();
        else this.#hearing = setTimeout(() => this.#hear(), wait);
    }

    #changed() {
        this.#typedAt = performance.now();
        this.saving.changed();
        this.#tellStatus();
    }

    /** @param {News} news */
    #tell({ saved, failure }) {
        this.#failure = failure;
        clearTimeout(this.#again);
        if (failure && !saved) this.#again = setTimeout(() => this.saving.retry(), patience);
        if (this.#isClosed && saved) return this.#end();
        const { unsaved } = this.#context.frame;
        if (this.#isClosed || this.isRefused) unsaved.add(this);
        else unsaved.delete(this);
        if (!this.#isClosed) this.#show();
    }

    #show() {
        const { saving } = this;
        const { record } = saving;
        // What is on this device no more may come back, and can be kept.
        const isFrozen = record !== null && record.place !== "list";
        this.#tellStatus();
        this.#tellNotice();
        this.title.isFrozen = isFrozen;
        this.body.isFrozen = isFrozen;
        this.tags.show(saving.tags);
        this.tags.element.hidden = isFrozen;
        this.pin.disabled = isFrozen;
        this.pin.setAttribute("aria-pressed", String(saving.pinned));
        const isPreview = this.#context.settings.get("view") === "preview";
        this.eye.setAttribute("aria-pressed", String(isPreview));
        this.body.element.hidden = isPreview;
        if (isPreview) this.preview.show(this.body);
        else this.preview.hide();
    }

    #tellStatus() {
        const { record, isDirty } = this.saving;
        const word = isDirty ? "inThisTab" : record ? status(record) : "inThisTab";
        if (this.status.dataset.status !== word) fill(this.status, statusMark(this.#texts, word));
        this.status.dataset.status = word;
        if (this.heading.textContent === this.name) return;
        fill(this.heading, this.name);
        this.#tellWindow();
    }

    /** Names the window after the note. */
    #tellWindow() {
        document.title = `${this.heading.textContent} · ${this.#texts.say("title")}`;
    }

    #tellNotice() {
        const { record } = this.saving;
        const what = this.#noticeOf(record);
        if (what === this.#said) return;
        this.#said = what;
        this.notice.hidden = what === "";
        const act = (/** @type {string} */ key, /** @type {() => Promise<unknown>} */ run) =>
            h("button", { type: "button", onclick: () => run().catch(this.#context.fail) }, this.#texts.say(key));
        const { engine } = this.#context;
        const actions = {
            "editor.in.trash": [act("editor.take.out", () => engine.takeOutOfTrash(this.id))],
            "editor.trashed": [act("editor.take.out", () => engine.takeOutOfTrash(this.id))],
            "editor.gone": [act("editor.keep", () => this.#keepAsNew())],
            "editor.refused": [
                act("editor.keep", async () => this.#context.navigate({ note: (await engine.keepAsNew(this.id)).id })),
                act("editor.discard", () => engine.discardChange(this.id)),
            ],
        };
        const detail = record?.problem?.detail ?? (this.#failure instanceof Error ? this.#failure.message : "");
        const text = what && this.#texts.say(what, { detail });
        fill(this.notice, h("p", {}, text), /** @type {Record<string, Node[]>} */ (actions)[what]);
    }

    /** @param {NoteRecord | null} record */
    #noticeOf(record) {
        if (!record) return "editor.gone";
        if (record.place === "removed") return "editor.gone";
        if (record.place === "trash") return this.#wasInList ? "editor.trashed" : "editor.in.trash";
        this.#wasInList = true;
        if (record.problem) return "editor.refused";
        return this.#failure ? "editor.failed" : "";
    }

    async #learnTags() {
        const { tags } = await this.#context.engine
            .list({ place: "list", order: "edited", limit: 0 })
            .catch(() => ({ tags: [] }));
        this.#known = tags.map(([tag]) => tag);
    }

    async #copyLink() {
        const fragment = routeFragment({ environment: this.#context.environment, note: this.id });
        try {
            await navigator.clipboard.writeText(new URL(fragment, location.href).href);
            this.#context.notify(this.#texts.say("editor.copied"));
        } catch (failure) {
            this.#context.fail(failure);
        }
    }

    async #moveToTrash() {
        try {
            await this.flush();
        } catch (failure) {
            return this.#context.fail(failure);
        }
        await moveToTrash(this.#context, [this.id]);
        const { navigate, route } = this.#context;
        navigate({ ...route, note: "", history: false });
    }

    /** The note is gone; what stands here need not be. */
    async #keepAsNew() {
        const { id } = await this.#keep();
        this.#context.navigate({ note: id }, true);
    }

    async #keep() {
        const record = await this.#context.engine.create(this.saving.text);
        this.saving.abandon();
        this.#end();
        return record;
    }
}
