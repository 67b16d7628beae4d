// Exact comparison of two configs: values are JSON texts, so numbers differ if their digits differ.

import { same as isSameValue } from "../../shared/json-forms.js";
import { wordsOf } from "./filter.js";

/**
 * An entry with its value as JSON text.
 * @typedef {{value: string, description: string, kind?: string}} Entry
 * @typedef {Map<string, Entry>} Config
 * The effect on a key of copying the source to the target.
 * @typedef {"added" | "removed" | "changed"} Kind
 * @typedef {{key: string, kind: Kind, source?: Entry, target?: Entry}} Line
 * @typedef {{lines: Line[], same: number}} Comparison
 * The selected keys, each with its line at the time of selection.
 * @typedef {Map<string, Line>} Choice
 */

/** @param {Config} source @param {Config} target @returns {Comparison} */
export function compare(source, target) {
    /** @type {Line[]} */
    const lines = [];
    let same = 0;
    for (const [key, entry] of source) {
        const there = target.get(key);
        if (!there) lines.push({ key, kind: "added", source: entry });
        else if (isSame(entry, there)) same++;
        else lines.push({ key, kind: "changed", source: entry, target: there });
    }
    for (const [key, entry] of target) if (!source.has(key)) lines.push({ key, kind: "removed", target: entry });
    lines.sort((one, other) => (one.key < other.key ? -1 : 1));
    return { lines, same };
}

/** @param {Entry | undefined} one @param {Entry | undefined} other */
function isSame(one, other) {
    if (!one || !other) return one === other;
    return one.description === other.description && one.kind === other.kind && isSameValue(one.value, other.value);
}

/**
 * Returns the lines of the given kinds whose key or values contain every word of a text.
 * @param {Line[]} lines @param {ReadonlySet<Kind>} kinds @param {string} text @returns {Line[]}
 */
export function filtered(lines, kinds, text) {
    const words = wordsOf(text);
    return lines.filter((line) => {
        if (!kinds.has(line.kind)) return false;
        if (words.length === 0) return true;
        const searchText = searchTextOf(line);
        return words.every((word) => searchText.includes(word));
    });
}

/** @type {WeakMap<Line, string>} the lower-case text of each line, cached */
const searchTexts = new WeakMap();

/** @param {Line} line */
function searchTextOf(line) {
    let text = searchTexts.get(line);
    if (text === undefined) {
        text = `${line.key} ${line.source?.value ?? ""} ${line.target?.value ?? ""}`.toLowerCase();
        searchTexts.set(line, text);
    }
    return text;
}

/** @param {Line[]} lines @returns {Record<Kind, number>} */
export function counts(lines) {
    const result = { added: 0, removed: 0, changed: 0 };
    for (const line of lines) result[line.kind]++;
    return result;
}

/**
 * Returns the choice with some lines selected or deselected.
 * @param {Choice} choice @param {Line[]} lines @param {boolean} chosen @returns {Choice}
 */
export function choosing(choice, lines, chosen) {
    const result = new Map(choice);
    for (const line of lines) {
        if (chosen) result.set(line.key, line);
        else result.delete(line.key);
    }
    return result;
}

/**
 * Rebases a choice onto a newer comparison. A selected line whose content has changed is deselected and reported
 * (`moved`), because the user has not seen the new content. A line that no longer differs is dropped (`settled`).
 * @param {Choice} choice @param {Line[]} lines
 * @returns {{choice: Choice, moved: string[], settled: string[]}}
 */
export function rebase(choice, lines) {
    const now = new Map(lines.map((line) => [line.key, line]));
    /** @type {Choice} */
    const result = new Map();
    const moved = [];
    const settled = [];
    for (const [key, chosen] of choice) {
        const line = now.get(key);
        if (!line) settled.push(key);
        else if (isSame(line.source, chosen.source) && isSame(line.target, chosen.target)) result.set(key, line);
        else moved.push(key);
    }
    return { choice: result, moved, settled };
}

/**
 * Returns the body of the PATCH request (`?replace=true&form=entries`) that copies the selected lines.
 * @param {Iterable<Line>} lines @returns {string}
 */
export function promotion(lines) {
    const members = [];
    for (const { key, source, target } of lines) {
        if (!source) {
            members.push(`${JSON.stringify(key)}:null`);
            continue;
        }
        const description =
            source.description === (target?.description ?? "")
                ? ""
                : `,"description":${JSON.stringify(source.description)}`;
        const kind = source.kind === target?.kind ? "" : `,"kind":"${source.kind ?? "value"}"`;
        members.push(`${JSON.stringify(key)}:{"value":${source.value}${description}${kind}}`);
    }
    return `{${members.join(",")}}`;
}
