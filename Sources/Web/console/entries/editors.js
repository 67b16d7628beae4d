/** Fields for values: switch, number with all digits, text, colour, time, link, and JSON with its error marked. */
import { button, fill, h, invisible, userText } from "../../shared/dom.js";
import { failureOf } from "../../shared/json.js";
import { compact, pretty } from "../../shared/json-forms.js";
import { fieldError } from "../controls/field-error.js";
import { bytesOf, faultOf, maxValueBytes } from "../state/kinds.js";

/**
 * @typedef {object} Editor
 * @property {HTMLElement} element
 * @property {(text: string) => void} set shows another value (JSON text)
 * @property {() => void} focus
 */

/**
 * @typedef {object} EditorForm
 * @property {import("../../shared/texts.js").Texts} texts
 * @property {string} label
 * @property {string} value JSON text
 * @property {string} [typed] a text that is no valid value, shown instead of the value
 * @property {boolean} readOnly true if the field is read-only
 * @property {(text: string | null, typed: string) => void} change receives the value as JSON text (null while it is
 * invalid) and the typed text
 */

/** A text over `debouncedLength` UTF-16 units enters the draft after a debounce of `inputDebounce` milliseconds. */
const debouncedLength = 20_000;
const inputDebounce = 200;

/**
 * @param {import("../state/kinds.js").Kind} kind
 * @param {EditorForm} form
 * @returns {Editor}
 */
export function valueEditor(kind, form) {
    if (kind === "switch") return switchEditor(form);
    if (kind === "json") return jsonEditor(form);
    if (kind === "text") return textEditor(form);
    return lineEditor(kind, form);
}

/**
 * @param {EditorForm} form
 * @returns {Editor}
 */
function switchEditor({ texts, label, value, readOnly, change }) {
    const box = h("input", { type: "checkbox", role: "switch", id: "value", "aria-label": label, disabled: readOnly });
    const word = h("output", { for: "value" });
    const showWord = () => fill(word, box.checked ? texts.say("value.on") : texts.say("value.off"));
    const set = (/** @type {string} */ text) => {
        box.checked = text.trim() === "true";
        showWord();
    };
    box.addEventListener("change", () => {
        showWord();
        change(String(box.checked), String(box.checked));
    });
    set(value);
    return {
        element: h("label", { class: "switch" }, box, h("span", { class: "track", "aria-hidden": "true" }), word),
        set,
        focus: () => box.focus(),
    };
}

/**
 * Fills the part below a field that shows its text with the invisible characters made visible.
 * @param {HTMLElement} preview
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {string} text
 */
function showInvisible(preview, texts, text) {
    const at = text.search(invisible);
    const part = userText(text.slice(Math.max(0, at - 60), at + 200));
    fill(preview, at >= 0 && [h("h3", {}, texts.say("value.unseen")), part]);
}

/**
 * @param {EditorForm} form
 * @returns {Editor}
 */
function textEditor({ texts, label, value, typed, readOnly, change }) {
    const field = h("textarea", {
        id: "value",
        "aria-label": label,
        dir: "auto",
        rows: "3",
        readOnly,
        spellcheck: "false",
    });
    const { element: error, report, reveal } = fieldError(field);
    const hint = h("p", { class: "hint" });
    const preview = h("div", { class: "seen" });
    let lineEnd = "\n";
    /** Returns true if the text is valid. @param {string} text */
    const describe = (text) => {
        const bytes = text.length * 3 < maxValueBytes ? 0 : bytesOf(JSON.stringify(text));
        const lines = text.length < 100_000 ? text.split("\n").length : 0;
        const count = texts.say("value.characters", { n: text.length });
        fill(hint, lines > 1 ? `${count}, ${texts.say("value.lines", { n: lines })}` : count);
        report(bytes > maxValueBytes && tooLarge(texts, bytes));
        showInvisible(preview, texts, text);
        return bytes <= maxValueBytes;
    };
    const set = (/** @type {string} */ text) => show(JSON.parse(text));
    /** @param {string} plain */
    const show = (plain) => {
        // A textarea normalizes line ends to line feeds.
        lineEnd = plain.includes("\r\n") && !/[^\r]\n/.test(plain) ? "\r\n" : "\n";
        field.value = plain;
        describe(plain);
        reveal();
    };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const commit = () => {
        clearTimeout(timer);
        if (timer === undefined) return;
        timer = undefined;
        const plain = lineEnd === "\n" ? field.value : field.value.replaceAll("\n", lineEnd);
        change(describe(plain) ? JSON.stringify(plain) : null, plain);
    };
    field.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(commit, field.value.length > debouncedLength ? inputDebounce : 0);
        if (field.value.length <= debouncedLength) commit();
    });
    // Take the pending text before a click elsewhere or a shortcut that saves.
    field.addEventListener("blur", () => {
        commit();
        reveal();
    });
    field.addEventListener(
        "keydown",
        (event) => (event.ctrlKey || event.metaKey || event.key === "Escape") && commit(),
    );
    if (typed === undefined) set(value);
    else show(typed);
    return { element: h("div", { class: "field" }, field, error, preview, hint), set, focus: () => field.focus() };
}

/**
 * Creates a single-line field with a helper: a picker, a link or a local time.
 * @param {"number" | "color" | "date" | "link"} kind
 * @param {EditorForm} form
 * @returns {Editor}
 */
function lineEditor(kind, { texts, label, value, typed, readOnly, change }) {
    const mode = { number: "decimal", color: "text", date: "text", link: "url" }[kind];
    const attributes = {
        id: "value",
        "aria-label": label,
        inputmode: mode,
        dir: "ltr",
        autocomplete: "off",
        spellcheck: "false",
        class: "exact",
    };
    const field = h("input", { ...attributes, readOnly });
    const { element: error, report, reveal } = fieldError(field);
    const side = h("div", { class: "side" });
    const hint = h("p", { class: "hint" });
    /** @param {string} plain */
    const commit = (plain) => {
        const fault = faultOf(kind, plain);
        report(fault && texts.say(fault));
        updateHelper(plain, fault === null);
        change(fault ? null : kind === "number" ? plain : JSON.stringify(plain), plain);
    };
    /**
     * @param {string} plain
     * @param {boolean} good
     */
    const updateHelper = (plain, good) => {
        if (kind === "link") {
            const open = { href: plain, target: "_blank", rel: "noreferrer noopener", class: "button" };
            fill(side, good ? h("a", open, texts.say("value.link.open")) : null);
        }
        if (kind === "date") fill(hint, good ? texts.say("value.date.local", { time: texts.time(plain) }) : "");
        if (kind === "number") fill(hint, texts.say("value.number.hint"));
        if (kind === "color" && picker && good) picker.value = opaque(plain);
        if (kind === "date" && picker && good) picker.value = pickerTime(plain);
    };
    const picker =
        kind === "color" || kind === "date"
            ? h("input", { "aria-label": texts.say(`value.${kind}.pick`), disabled: readOnly, class: "picker" })
            : null;
    if (picker) {
        side.append(picker);
        picker.addEventListener("input", () => {
            if (picker.value === "") return;
            field.value = kind === "color" ? picked(field.value, picker.value) : pickedTime(field.value, picker.value);
            commit(field.value);
        });
    }
    const set = (/** @type {string} */ text) => show(kind === "number" ? text : JSON.parse(text));
    /** @param {string} plain */
    const show = (plain) => {
        field.value = plain;
        if (picker) picker.type = kind === "color" ? "color" : field.value.length === 10 ? "date" : "datetime-local";
        if (picker && kind === "date" && field.value.length !== 10) picker.step = "1";
        const fault = faultOf(kind, field.value);
        report(fault && texts.say(fault));
        reveal();
        updateHelper(field.value, fault === null);
    };
    field.addEventListener("input", () => commit(field.value));
    if (typed === undefined) set(value);
    else show(typed);
    const together = h("div", { class: "together" }, field, side);
    return { element: h("div", { class: "field" }, together, error, hint), set, focus: () => field.focus() };
}

/**
 * Converts a hex colour to `#rrggbb`.
 * @param {string} color
 */
function opaque(color) {
    const digits = color.slice(1);
    const six = digits.length < 6 ? [...digits.slice(0, 3)].map((digit) => digit + digit).join("") : digits.slice(0, 6);
    return `#${six.toLowerCase()}`;
}

/**
 * Formats a picked colour like the previous one: in the same case, with the same alpha.
 * @param {string} before
 * @param {string} color `#rrggbb`
 */
function picked(before, color) {
    const digits = before.slice(1);
    const alpha = digits.length === 8 ? digits.slice(6) : digits.length === 4 ? digits[3] + digits[3] : "";
    return (/[A-F]/.test(before) || !/[a-f]/.test(before) ? color.toUpperCase() : color) + alpha;
}

/**
 * Converts a time to UTC for the date picker.
 * @param {string} time
 */
function pickerTime(time) {
    return time.length === 10 ? time : new Date(time).toISOString().slice(0, 19);
}

/**
 * @param {string} before
 * @param {string} time the picker's value
 */
function pickedTime(before, time) {
    if (before.length === 10) return time;
    const full = time.length === 16 ? `${time}:00` : time;
    return `${full.slice(0, 19)}${before.includes(".") ? ".000" : ""}Z`;
}

/**
 * @param {EditorForm} form
 * @returns {Editor}
 */
function jsonEditor({ texts, label, value, typed, readOnly, change }) {
    const attributes = {
        id: "value",
        "aria-label": label,
        class: "exact code",
        rows: "12",
        wrap: "off",
        dir: "ltr",
        spellcheck: "false",
    };
    const field = h("textarea", { ...attributes, readOnly });
    const mark = h("div", { class: "error-line", hidden: true, "aria-hidden": "true" });
    const { element: error, report, reveal } = fieldError(field);
    const tidy = h(
        "button",
        { type: "button", class: "quiet small", disabled: readOnly, onclick: () => format() },
        texts.say("value.json.tidy"),
    );
    const preview = h("div", { class: "seen" });
    let line = 0;
    const placeMark = () => {
        if (mark.hidden) return;
        const style = getComputedStyle(field);
        const height = Number.parseFloat(style.lineHeight);
        const top = Number.parseFloat(style.paddingTop) + (line - 1) * height - field.scrollTop;
        mark.style.setProperty("transform", `translateY(${top}px)`);
        mark.style.setProperty("height", `${height}px`);
    };
    const check = () => {
        const failure = failureOf(field.value);
        const empty = failure === null && /^\s*null\s*$/.test(field.value);
        const bytes = failure || field.value.length * 3 < maxValueBytes ? 0 : bytesOf(compact(field.value));
        mark.hidden = failure === null;
        tidy.disabled = readOnly || failure !== null;
        showInvisible(preview, texts, field.value);
        if (failure) {
            line = failure.line;
            const where = texts.say("value.json.at", { line: failure.line, column: failure.column });
            const go = () => {
                field.focus();
                field.setSelectionRange(failure.offset, failure.offset + 1);
            };
            report([`${where}: ${texts.say(failure.reason)} `, button(texts.say("show"), go, "quiet small")]);
            placeMark();
        } else report(empty ? texts.say("value.json.null") : bytes > maxValueBytes ? tooLarge(texts, bytes) : null);
        return failure === null && !empty && bytes <= maxValueBytes;
    };
    const format = () => {
        field.value = pretty(field.value);
        check();
    };
    const set = (/** @type {string} */ text) => {
        field.value = failureOf(text) ? text : pretty(text);
        check();
        reveal();
    };
    field.addEventListener("input", () => change(check() ? field.value : null, field.value));
    field.addEventListener("scroll", placeMark, { passive: true });
    field.addEventListener("keydown", (event) => {
        // Enter keeps the indentation of the line; Tab still leaves the field.
        if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey || event.isComposing) return;
        const start = field.value.lastIndexOf("\n", field.selectionStart - 1) + 1;
        const indent = /^ */.exec(field.value.slice(start, field.selectionStart))?.[0] ?? "";
        const deeper = /[[{]\s*$/.test(field.value.slice(start, field.selectionStart)) ? "  " : "";
        event.preventDefault();
        // `insertText` keeps the browser's undo history.
        if (!document.execCommand("insertText", false, `\n${indent}${deeper}`))
            field.setRangeText(`\n${indent}${deeper}`);
    });
    set(typed ?? value);
    const box = h("div", { class: "code-box" }, mark, field);
    return {
        element: h("div", { class: "field" }, box, error, preview, h("div", { class: "foot" }, tidy)),
        set,
        focus: () => field.focus(),
    };
}

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {number} bytes
 */
function tooLarge(texts, bytes) {
    return texts.say("value.too-large", { bytes, limit: maxValueBytes, most: texts.size(maxValueBytes) });
}
