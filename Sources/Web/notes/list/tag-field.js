/** A field for tags: the current tags with buttons that remove them, and an input with suggestions. */
import { fill, h, squareButton, userText } from "../../shared/dom.js";
import { isTag, maxTags } from "../../shared/formats.js";
import { icon } from "../icons.js";
import { sortedTags } from "../sync/text.js";

/** The number of suggestions. */
const maxSuggestions = 8;
let number = 0;

/**
 * @typedef {object} TagFieldForm
 * @property {import("../../shared/texts.js").Texts} texts
 * @property {string[]} tags
 * @property {() => string[]} suggestions returns all known tags
 * @property {(tags: string[]) => void} change receives the sorted tags
 * @property {string} [label]
 */

export class TagField {
    /** @param {TagFieldForm} form */
    constructor(form) {
        number += 1;
        this.form = form;
        this.tags = sortedTags(form.tags);
        /** @type {string[]} */
        this.suggested = [];
        this.active = -1;
        const id = `tag-field-${number}`;
        const label = form.label ?? form.texts.say("list.tags");
        this.chips = h("ul", { class: "tag-chips", "aria-label": label });
        this.choices = h("ul", {
            role: "listbox",
            id: `${id}-choices`,
            class: "tag-choices",
            hidden: true,
            "aria-label": form.texts.say("list.tag.suggestions"),
        });
        this.error = h("p", { class: "tag-error", id: `${id}-error`, role: "alert" });
        this.input = h("input", {
            type: "text",
            role: "combobox",
            autocomplete: "off",
            autocapitalize: "none",
            dir: "auto",
            "aria-autocomplete": "list",
            "aria-expanded": "false",
            "aria-controls": this.choices.id,
            "aria-describedby": this.error.id,
            "aria-label": form.texts.say("list.tag.add"),
            placeholder: form.texts.say("list.tag.add"),
            oninput: () => this.suggest(),
            onfocus: () => this.suggest(),
            onblur: () => this.onBlur(),
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
        });
        // A press on a suggestion must not blur the field before the click.
        this.choices.addEventListener("pointerdown", (event) => event.preventDefault());
        this.choices.addEventListener("click", (event) => {
            const choice = event.target instanceof Element ? event.target.closest("[role=option]") : null;
            if (choice instanceof HTMLElement) this.add(this.suggested[Number(choice.dataset.at)]);
        });
        const entry = h("div", { class: "tag-entry" }, this.input, this.choices);
        this.element = h("div", { class: "tag-field" }, this.chips, entry, this.error);
        this.render();
    }

    /** Shows other tags, such as after a change by another device. The input stays. @param {string[]} tags */
    show(tags) {
        const sorted = sortedTags(tags);
        if (sorted.length === this.tags.length && sorted.every((tag, at) => tag === this.tags[at])) return;
        this.tags = sorted;
        this.render();
    }

    close() {
        this.element.remove();
    }

    render() {
        const { texts } = this.form;
        const focused = this.chips.contains(document.activeElement);
        this.chips.hidden = this.tags.length === 0;
        fill(
            this.chips,
            this.tags.map((tag) =>
                h(
                    "li",
                    { class: "tag-chip" },
                    userText(tag),
                    squareButton(texts.say("list.tag.take", { tag }), icon("close"), () => this.remove(tag)),
                ),
            ),
        );
        if (focused) this.input.focus();
    }

    /** @param {string} tag */
    remove(tag) {
        this.change(this.tags.filter((each) => each !== tag));
    }

    /** Adds a tag. @param {string} written @returns {boolean} `true` if the note has the tag now */
    add(written) {
        const tag = written.trim();
        const { texts } = this.form;
        if (tag === "") return true;
        if (!isTag(tag)) return this.refuse(texts.say("list.tag.unfit"));
        if (!this.tags.includes(tag) && this.tags.length >= maxTags)
            return this.refuse(texts.say("list.tag.many", { n: maxTags }));
        this.refuse("");
        this.input.value = "";
        this.hide();
        if (!this.tags.includes(tag)) this.change(sortedTags([...this.tags, tag]));
        return true;
    }

    /** Shows the reason why a tag is invalid. @param {string} reason empty to clear the message @returns {false} */
    refuse(reason) {
        fill(this.error, reason);
        this.input.setAttribute("aria-invalid", String(reason !== ""));
        return false;
    }

    /** @param {string[]} tags */
    change(tags) {
        this.tags = tags;
        this.render();
        this.form.change(tags);
    }

    /** Shows tags with the input as prefix, then tags that contain it elsewhere. */
    suggest() {
        this.refuse("");
        const typed = this.input.value.trim().toLowerCase();
        const others = this.form.suggestions().filter((tag) => !this.tags.includes(tag));
        const starts = others.filter((tag) => tag.toLowerCase().startsWith(typed));
        const rest = others.filter((tag) => !starts.includes(tag) && tag.toLowerCase().includes(typed));
        this.suggested = typed === "" ? [] : [...starts, ...rest].slice(0, maxSuggestions);
        this.active = -1;
        this.renderChoices();
    }

    renderChoices() {
        const open = this.suggested.length > 0;
        this.choices.hidden = !open;
        this.input.setAttribute("aria-expanded", String(open));
        fill(
            this.choices,
            this.suggested.map((tag, at) =>
                h(
                    "li",
                    {
                        role: "option",
                        id: `${this.choices.id}-${at}`,
                        "data-at": at,
                        "aria-selected": String(at === this.active),
                    },
                    userText(tag),
                ),
            ),
        );
        if (this.active >= 0) this.input.setAttribute("aria-activedescendant", `${this.choices.id}-${this.active}`);
        else this.input.removeAttribute("aria-activedescendant");
    }

    hide() {
        this.suggested = [];
        this.active = -1;
        this.renderChoices();
    }

    onBlur() {
        this.add(this.input.value);
        this.hide();
    }

    /** @param {KeyboardEvent} event */
    press(event) {
        if (event.isComposing) return;
        const { key } = event;
        if (key === "ArrowDown" || key === "ArrowUp") {
            if (this.suggested.length === 0) return;
            // The input itself counts as the place before the first and after the last suggestion.
            const places = this.suggested.length + 1;
            this.active = ((this.active + 1 + (key === "ArrowDown" ? 1 : -1) + places) % places) - 1;
            this.renderChoices();
        } else if (key === "Enter" || key === ",") {
            if (key === "Enter" && this.input.value.trim() === "") return;
            this.add(this.active >= 0 ? this.suggested[this.active] : this.input.value);
        } else if (key === "Backspace" && this.input.value === "" && this.tags.length > 0) {
            this.remove(/** @type {string} */ (this.tags.at(-1)));
        } else if (key === "Escape" && this.suggested.length > 0) {
            this.hide();
            event.stopPropagation();
        } else return;
        event.preventDefault();
    }
}
