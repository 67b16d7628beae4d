/** The form of one entry: its value, description, last author and history. Every keystroke updates the draft. */
import { button, fill, h, icon } from "../../shared/dom.js";
import { same } from "../../shared/json-forms.js";
import { stateMark, timeMark, undoChange } from "../controls/controls.js";
import { fieldError, focusInvalid } from "../controls/field-error.js";
import { sameContent } from "../state/draft.js";
import { stateOf } from "../state/filter.js";
import { bytesOf, Conversion, faultOf, kindOf, kinds, maxDescriptionBytes } from "../state/kinds.js";
import { mayWrite } from "../state/scopes.js";
import { conflictView } from "./conflict.js";
import { valueEditor } from "./editors.js";
import { panelTop } from "./panel-top.js";
import { pastValues } from "./past-values.js";

/** @typedef {import("../state/draft.js").Content} Content */
/** @typedef {import("../state/kinds.js").Kind} Kind */

export class EntryPanel {
    /**
     * @param {import("../frame.js").Context} context
     * @param {import("./panel-top.js").PanelForm} form
     */
    constructor(context, form) {
        this.context = context;
        this.form = form;
        this.element = h("aside", {
            class: "panel",
            id: "entry",
            "aria-label": context.texts.say("entry.panel"),
            hidden: true,
        });
        this.key = "";
        /** The key whose field gets the focus once the form exists. */
        this.focusKey = "";
        /** @type {Content | null} the content in the form */
        this.shown = null;
        /** @type {Content | null} the entry's saved content, without the draft */
        this.stored = null;
        /** @type {Kind} */
        this.kind = "text";
        this.conversion = new Conversion();
        /** The names of the form's invalid fields. */
        this.invalidFields = "";
        /** @type {import("./editors.js").Editor | null} */
        this.editor = null;
        this.description = h("textarea");
        this.head = h("div", { class: "panel-head" });
        this.state = h("div", { class: "panel-state" });
        this.element.addEventListener("keydown", (event) => {
            if (event.key !== "Escape" || event.defaultPrevented) return;
            event.preventDefault();
            form.open("");
        });
    }

    get texts() {
        return this.context.texts;
    }

    get draft() {
        return this.context.workspace.draft;
    }

    get row() {
        return this.context.workspace.table.byKey.get(this.key);
    }

    get readOnly() {
        return !mayWrite(this.context.environment.session.scopes, this.key);
    }

    /**
     * @param {string} key
     * @param {boolean} focus
     */
    async open(key, focus) {
        if (focus) this.focusKey = key;
        if (key === this.key && !this.element.hidden) {
            if (focus && this.shown) this.editor?.focus();
            return;
        }
        this.key = key;
        this.element.hidden = false;
        this.shown = null;
        if (!this.row) return this.missing();
        if (this.row?.entry && !this.row.entry.full) {
            fill(this.element, this.top(), h("p", { class: "empty" }, this.texts.say("loading")));
        }
        try {
            const stored = await this.context.workspace.content(key);
            if (key !== this.key || this.context.signal.aborted) return;
            this.stored = stored;
            this.build();
            if (this.focusKey === key) this.editor?.focus();
            this.focusKey = "";
            this.focusWanted();
        } catch (failure) {
            if (key !== this.key) return;
            const retry = () => {
                this.key = "";
                this.open(key, focus);
            };
            const error = h("p", { class: "error", role: "alert" }, this.context.messageOf(failure));
            fill(this.element, this.top(), error, button(this.texts.say("retry"), retry));
        }
    }

    /** Focuses the first invalid field if the review leads to this entry. */
    focusWanted() {
        if (!this.shown || this.draft.wantedKey !== this.key) return;
        this.draft.wantedKey = "";
        focusInvalid(this.element);
    }

    close() {
        this.key = "";
        this.focusKey = "";
        this.element.hidden = true;
        fill(this.element);
    }

    top() {
        const { draft, key, readOnly } = this;
        // The menu is created at each opening.
        const canMove = () =>
            !readOnly &&
            this.shown !== null &&
            draft.change(key)?.after !== null &&
            draft.invalid.fields(key).length === 0;
        return panelTop(this.context, key, this.form, canMove);
    }

    /** Shows that the entry does not exist, once the list is loaded. If loading failed, the list shows the reason. */
    missing() {
        this.shown = null;
        const { status } = this.context.workspace;
        const words = { ready: "entry.missing", loading: "loading", failed: "" }[status];
        fill(this.element, this.top(), words ? h("p", { class: "empty" }, this.texts.say(words)) : null);
    }

    /** Returns the content in the form: the draft's, else the saved one. */
    current() {
        const change = this.draft.change(this.key);
        return change?.after ?? change?.before ?? this.stored;
    }

    build() {
        const content = this.current();
        if (!content) return this.missing();
        const invalid = this.draft.invalid.get(this.key, "value");
        this.shown = content;
        this.conversion = new Conversion(this.draft.change(this.key)?.before?.value, content.value);
        this.kind = invalid?.kind ?? kindOf(content.value);
        const { texts } = this;
        this.description = h("textarea", {
            id: "description",
            dir: "auto",
            rows: "2",
            readOnly: this.readOnly,
            placeholder: texts.say("entry.description.hint"),
            value: this.draft.invalid.get(this.key, "description")?.text ?? content.description,
            oninput: () => this.describe(),
        });
        this.descriptionError = fieldError(this.description);
        this.invalidFields = this.draft.invalid.fields(this.key).join();
        const label = h("label", { for: "value" }, texts.say("column.value"));
        const field = h("div", { class: "value-field" });
        this.field = field;
        fill(
            this.element,
            this.top(),
            h(
                "div",
                { class: "panel-body" },
                this.state,
                h("div", { class: "label-row" }, label, this.kindChoice()),
                field,
                h("label", { for: "description" }, texts.say("column.description")),
                this.description,
                this.descriptionError.element,
                this.head,
                pastValues(this.context, this.key, (value) => this.useValue(value)),
            ),
        );
        if (!this.checkDescription()) this.descriptionError.reveal();
        this.makeEditor(content.value, invalid?.text);
        this.renderState();
    }

    /**
     * @param {string} value
     * @param {string} [typed] typed text that is not a valid value
     */
    makeEditor(value, typed) {
        this.editor = valueEditor(this.kind, {
            texts: this.texts,
            label: this.texts.say("column.value"),
            value,
            typed,
            readOnly: this.readOnly || this.draft.change(this.key)?.after === null,
            change: (text, plain) => this.onInput(text, plain),
        });
        if (this.field) fill(this.field, this.editor.element);
    }

    kindChoice() {
        const options = kinds.map((kind) =>
            h("option", { value: kind, selected: kind === this.kind }, this.texts.say(`kind.${kind}`)),
        );
        const label = this.texts.say("entry.kind");
        const select = h("select", { id: "kind", "aria-label": label, disabled: this.readOnly }, options);
        select.addEventListener("change", () => {
            const value = this.current()?.value ?? '""';
            const kind = /** @type {Kind} */ (select.value);
            const typed = this.draft.invalid.get(this.key, "value")?.text;
            const text =
                typed === undefined
                    ? this.conversion.convert(this.kind, value, kind)
                    : this.conversion.convert("text", JSON.stringify(typed), kind);
            this.kind = kind;
            this.makeEditor(text);
            const plain = text.startsWith('"') ? JSON.parse(text) : text;
            if (faultOf(this.kind, plain)) this.onInput(null, plain);
            else if (typed !== undefined || !same(text, value)) this.onInput(text, plain);
            this.editor?.focus();
        });
        this.choice = select;
        return select;
    }

    /**
     * @param {string | null} text
     * @param {string} plain
     */
    onInput(text, plain) {
        this.setInvalid("value", text === null ? { kind: this.kind, text: plain } : null);
        if (text === null) return this.renderState();
        this.edit(text);
    }

    /**
     * @param {string} field
     * @param {import("../invalid-texts.js").InvalidText | null} text
     */
    setInvalid(field, text) {
        this.draft.setInvalid(this.key, field, text);
        this.invalidFields = this.draft.invalid.fields(this.key).join();
    }

    /** Reports a description over the limit; returns true if the description is valid. */
    checkDescription() {
        const isLarge = bytesOf(this.description.value) > maxDescriptionBytes;
        this.descriptionError?.report(isLarge && this.texts.say("entry.description.long", { n: maxDescriptionBytes }));
        return !isLarge;
    }

    describe() {
        const isValid = this.checkDescription();
        this.setInvalid("description", isValid ? null : { text: this.description.value });
        const value = this.current()?.value;
        if (isValid && value !== undefined) this.edit(value);
        else this.renderState();
    }

    /** @param {string} value */
    edit(value) {
        const isInvalid = this.draft.invalid.get(this.key, "description") !== undefined;
        const description = isInvalid ? (this.current()?.description ?? "") : this.description.value;
        const content = { ...this.current(), value, description };
        this.shown = content;
        this.draft.edit(this.key, this.stored, content);
    }

    /** @param {string} value a past value */
    useValue(value) {
        this.kind = kindOf(value);
        if (this.choice) this.choice.value = this.kind;
        this.setInvalid("value", null);
        this.makeEditor(value);
        this.edit(value);
        this.editor?.focus();
    }

    /** Updates untouched fields after a release or a change of the draft. */
    async refresh() {
        if (this.element.hidden || !this.key) return;
        const { key } = this;
        const stored = await this.context.workspace.content(key).catch(() => this.stored);
        if (key !== this.key) return;
        // The user's own release does not change the form.
        const isNew = !sameContent(stored, this.stored) && !sameContent(stored, this.shown);
        this.stored = stored;
        const content = this.current();
        if (!content) return this.missing();
        if (!this.shown || this.invalidFields !== this.draft.invalid.fields(key).join()) return this.build();
        if (!sameContent(content, this.shown)) {
            if (content.value !== this.shown.value && !this.draft.invalid.get(this.key, "value"))
                this.showValue(content.value);
            if (content.description !== this.shown.description && !this.draft.invalid.get(this.key, "description"))
                this.description.value = content.description;
            this.shown = content;
        }
        if (isNew && stored) {
            const by = this.row?.entry?.author ?? "";
            this.context.say(this.texts.say("entry.others", { name: by }));
            this.element.classList.add("news");
            setTimeout(() => this.element.classList.remove("news"), 1500);
        }
        this.renderState();
    }

    /** @param {string} value */
    showValue(value) {
        const kind = kindOf(value);
        // While a user types a colour as text, the field must not become a colour field.
        if (kind === this.kind || (this.kind === "text" && value.startsWith('"'))) this.editor?.set(value);
        else {
            this.kind = kind;
            if (this.choice) this.choice.value = kind;
            this.makeEditor(value);
        }
    }

    /** Updates the parts around the fields: the draft's state, the conflict and the last author. */
    renderState() {
        const { texts, row } = this;
        const change = this.draft.change(this.key);
        const state = row ? stateOf(row) : "";
        const undo = button(texts.say("draft.undo.short"), () => this.undo(), "quiet small", "undo");
        const isInvalid = this.draft.invalid.fields(this.key).length > 0;
        const half = isInvalid ? h("p", { class: "hint" }, texts.say("entry.unfinished")) : null;
        const remove =
            change?.after === null || this.readOnly
                ? null
                : button(texts.say("entry.remove"), () => this.remove(), "quiet small danger", "remove");
        fill(
            this.state,
            this.readOnly ? h("p", { class: "hint" }, texts.say("entry.fixed")) : null,
            change?.after === null
                ? h("p", { class: "error" }, icon("remove"), h("span", {}, texts.say("entry.removed")))
                : null,
            change?.theirs === undefined ? null : conflictView(texts, this.key, change, (after) => this.resolve(after)),
            h(
                "div",
                { class: "label-row", hidden: this.readOnly && !state },
                stateMark(texts, state),
                half,
                h("span", { class: "space" }),
                change || isInvalid ? undo : null,
                remove,
            ),
        );
        const entry = row?.entry;
        const when = entry && timeMark(texts, entry.updated_at);
        fill(
            this.head,
            entry && when
                ? h(
                      "p",
                      { class: "hint" },
                      texts.parts(entry.author ? "entry.last" : "entry.last.nobody", {
                          when,
                          name: entry.author,
                          n: entry.revision,
                      }),
                  )
                : h("p", { class: "hint" }, texts.say("entry.new")),
        );
    }

    /** @param {Content | null} after */
    resolve(after) {
        this.draft.resolve(this.key, after);
        this.shown = null;
        this.refresh();
    }

    undo() {
        undoChange(this.context, this.key);
        this.shown = null;
        this.refresh();
    }

    remove() {
        this.draft.edit(this.key, this.stored, null);
        if (!this.stored) this.form.open("");
        else this.build();
    }
}
