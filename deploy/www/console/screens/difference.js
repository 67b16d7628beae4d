// Shows values of the config, and what differs between two of them.

import { foreign, h } from "../../shared/dom.js";
import { pretty, typeOf } from "../../shared/json.js";
import { diffLines, withoutDistant } from "../state/linediff.js";

/** @typedef {import("../../shared/texts.js").Texts} Texts */

/** How much of a line is shown on either side of what differs, and of what differs. */
const beside = 300;
const within = 2000;

/**
 * A value as lines of text: a string of several lines as itself, anything else as JSON.
 * @param {string | undefined} value JSON text
 * @param {boolean} plain
 */
function linesOf(value, plain) {
    if (value === undefined) return "";
    return plain && typeOf(value) === "string" ? JSON.parse(value) : pretty(value);
}

/** @param {string | undefined} value */
const isString = (value) => value === undefined || typeOf(value) === "string";
/** @param {string | undefined} value */
const hasLines = (value) => value !== undefined && isString(value) && value.includes("\\n");

/**
 * The colour that a value is, if it is one.
 * @param {string} value JSON text
 */
function swatch(value) {
    if (!/^"#[0-9A-Fa-f]{6}"$/.test(value)) return null;
    const mark = h("span", { class: "swatch", "aria-hidden": "true" });
    mark.style.setProperty("background-color", value.slice(1, -1));
    return mark;
}

/**
 * A value on one line, cut where it is long.
 * @param {string} value JSON text
 * @param {number} most characters
 */
export function shortValue(value, most = 120) {
    const text = value.length > most ? `${value.slice(0, most)}…` : value;
    return h("code", { class: "value" }, swatch(value), foreign(text));
}

/**
 * What a change did to a value, as lines; short ones beside each other.
 * @param {Texts} texts
 * @param {string | undefined} before JSON text; undefined where there was none
 * @param {string | undefined} after
 */
export function difference(texts, before, after) {
    if (isShort(before) && isShort(after)) {
        return h(
            "p",
            { class: "difference short" },
            before !== undefined && h("del", {}, spoken(texts.say("difference.before")), shortValue(before)),
            before !== undefined && after !== undefined && h("span", { class: "arrow", "aria-hidden": "true" }, "→"),
            after !== undefined && h("ins", {}, spoken(texts.say("difference.after")), shortValue(after)),
        );
    }
    const plain = isString(before) && isString(after) && (hasLines(before) || hasLines(after));
    const lines = withoutDistant(diffLines(linesOf(before, plain), linesOf(after, plain)), 2);
    return h(
        "div",
        { class: "difference", role: "group", tabindex: 0, "aria-label": texts.say("difference.lines") },
        lines.map((line) => (line.kind === "skipped" ? gap(texts, line.count) : row(texts, line))),
    );
}

/** @param {string | undefined} value */
function isShort(value) {
    return value === undefined || (value.length <= 72 && !"{[".includes(value[0]) && !hasLines(value));
}

/** @param {Texts} texts @param {number} count */
function gap(texts, count) {
    return h("div", { class: "gap" }, texts.say("difference.same", { n: count }));
}

/** @param {Texts} texts @param {import("../state/linediff.js").DiffLine} line */
function row(texts, { kind, text, from = 0, to = text.length }) {
    const marked = kind !== "same" && to - from < text.length;
    const content = marked
        ? [tail(text.slice(0, from)), h("mark", {}, head(text.slice(from, to), within)), head(text.slice(to), beside)]
        : [head(text, within)];
    if (kind === "same") return h("div", {}, content);
    return h(kind === "added" ? "ins" : "del", {}, spoken(texts.say(`difference.${kind}`)), content);
}

/** @param {string} text */
const spoken = (text) => h("span", { class: "spoken" }, text);
/** @param {string} text @param {number} most */
const head = (text, most) => foreign(text.length > most ? `${text.slice(0, most)}…` : text);
/** @param {string} text */
const tail = (text) => foreign(text.length > beside ? `…${text.slice(-beside)}` : text);
