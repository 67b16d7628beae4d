/** Differences between two values. */
import { h, userText } from "../../shared/dom.js";
import { typeOf } from "../../shared/json.js";
import { pretty } from "../../shared/json-forms.js";
import { lineDifference, wordDifference } from "../state/diff.js";
import { plainText } from "../state/filter.js";

/** The limit on the lines shown. */
const maxLines = 300;
/** The limit on a line's length, in UTF-16 units. */
const maxLineLength = 2000;
/** The limit on a removed value within its sentence, in UTF-16 units. */
const maxWordsLength = 160;

/** @typedef {import("../../shared/texts.js").Texts} Texts */

/** @param {string} text */
const cut = (text) => (text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text);

/**
 * Formats a value for reading: a string as its text, objects and arrays with one member per line.
 * @param {string} text a JSON text
 */
export function readable(text) {
    const type = typeOf(text);
    if (type === "string") return plainText(text);
    return type === "object" || type === "array" ? pretty(text) : text;
}

/**
 * @param {Texts} texts
 * @param {string | null} before a JSON text, null if there was no value
 * @param {string} after
 */
export function valueDifference(texts, before, after) {
    if (before === null) return block(texts, "added", readable(after));
    const [one, other] = [readable(before), readable(after)];
    const retyped = typeOf(before) !== typeOf(after);
    if (!retyped && !one.includes("\n") && !other.includes("\n") && one.length + other.length < 160)
        return inline(texts, one, other);
    if (retyped) return h("div", { class: "difference" }, block(texts, "removed", one), block(texts, "added", other));
    const lines = lineDifference(one, other);
    const shown = lines.slice(0, maxLines).map((line) => {
        if (line.kind === "gap") return h("div", { class: "gap" }, texts.say("diff.gap", { n: line.count }));
        const pieces = line.pieces.map((piece) => piecesNode(piece, line.pieces.length > 1));
        return h("div", { class: line.kind }, sign(texts, line.kind), h("span", {}, pieces));
    });
    return region(texts, shown, omittedLines(texts, lines.length - maxLines));
}

/**
 * Creates a scrollable region; `tabindex` lets the keyboard scroll it.
 * @param {Texts} texts
 * @param {...import("../../shared/dom.js").Children} lines
 */
const region = (texts, ...lines) =>
    h("div", { class: "difference", tabindex: "0", role: "group", "aria-label": texts.say("diff") }, ...lines);

/** @typedef {import("../state/draft.js").Content | null | undefined} Content */
/**
 * @typedef {(key: string, change: { before: Content, after: Content }) => HTMLElement | null} FlagReview shows a flag's
 * change in words; returns null if words cannot say the change
 */

/**
 * Shows the difference of two entries: a removal in words, or their values, and their descriptions if these differ.
 * @param {Texts} texts
 * @param {string} key
 * @param {Content} before
 * @param {Content} after
 * @param {FlagReview | null} [flagReview] the values of flags are shown on demand if there is a review
 * @param {object} [attributes] those of the element that shows the values of flags
 */
export function contentDifference(texts, key, before, after, flagReview, attributes) {
    const words = flagReview?.(key, { before, after });
    if (!after) return before ? removal(texts, key, readable(before.value), words) : [];
    const [was, is] = [before, after].map((content) => JSON.stringify(content?.description ?? ""));
    const values = [
        before?.value !== after.value && valueDifference(texts, before?.value ?? null, after.value),
        was !== is && [h("h3", {}, texts.say("column.description")), valueDifference(texts, was, is)],
    ];
    return words ? [words, h("details", attributes, h("summary", {}, texts.say("flag.diff")), values)] : values;
}

/**
 * Says that an entry is removed. A long value is shown on demand.
 * @param {Texts} texts
 * @param {string} key
 * @param {string} text the readable value
 * @param {HTMLElement | null} [words] the removal of a flag in words
 */
function removal(texts, key, text, words) {
    const isLong = text.includes("\n") || text.length > maxWordsLength;
    if (isLong || words)
        return [
            words || h("p", {}, texts.say("reason.removed")),
            h("details", {}, h("summary", {}, texts.say("diff.show")), block(texts, "same", text)),
        ];
    const value = h("code", {}, text ? userText(text) : texts.say("value.empty"));
    return h("p", {}, texts.parts("diff.removal", { key: h("code", {}, key), value }));
}

/**
 * @param {import("../state/diff.js").Piece} piece
 * @param {boolean} apart
 */
function piecesNode(piece, apart) {
    const text = cut(piece.text);
    if (piece.kind === "same" || !apart) return userText(text);
    return h(piece.kind === "added" ? "ins" : "del", {}, userText(text));
}

/**
 * @param {Texts} texts
 * @param {string} one
 * @param {string} other
 */
function inline(texts, one, other) {
    const pieces = wordDifference(one, other);
    /** @param {"removed" | "added"} kind */
    const side = (kind) =>
        pieces.filter((piece) => piece.kind === "same" || piece.kind === kind).map((piece) => piecesNode(piece, true));
    const nothing = () => h("span", { class: "nothing" }, texts.say("value.empty"));
    return h(
        "div",
        { class: "difference" },
        h("div", { class: "removed" }, sign(texts, "removed"), h("span", {}, one === "" ? nothing() : side("removed"))),
        h("div", { class: "added" }, sign(texts, "added"), h("span", {}, other === "" ? nothing() : side("added"))),
    );
}

/**
 * @param {Texts} texts
 * @param {"removed" | "added" | "same"} kind
 * @param {string} text
 */
function block(texts, kind, text) {
    const lines = text.split("\n");
    const shown = lines
        .slice(0, 40)
        .map((line) => h("div", { class: kind }, sign(texts, kind), h("span", {}, userText(cut(line)))));
    return region(texts, shown, omittedLines(texts, lines.length - 40));
}

/**
 * @param {Texts} texts
 * @param {string} kind
 */
function sign(texts, kind) {
    const mark = { added: "+", removed: "−" }[kind] ?? " ";
    const name = kind === "same" ? null : h("span", { class: "spoken" }, texts.say(`diff.${kind}`));
    return h("span", { class: "sign" }, h("span", { "aria-hidden": "true" }, mark), name);
}

/**
 * @param {Texts} texts
 * @param {number} count
 */
function omittedLines(texts, count) {
    return count > 0 ? h("div", { class: "gap" }, texts.say("diff.more", { n: count })) : null;
}
