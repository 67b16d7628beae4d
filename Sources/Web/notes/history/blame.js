/** Finds the version that wrote each paragraph of a text, from the deltas between versions. */

/** @typedef {(number | string)[]} Delta */
/** @typedef {{ length: number, version: number }} Span a run of text by one version */
/** @typedef {{ from: number, to: number, version: number }} Paragraph with the version of its latest part */

/**
 * Carries the authorship of text over to the next version.
 * @param {Span[]} spans
 * @param {Delta} delta
 * @param {number} version the version that the delta leads to
 * @returns {Span[]}
 */
export function carry(spans, delta, version) {
    /** @type {Span[]} */
    const result = [];
    /** @type {(length: number, version: number) => void} */
    const add = (length, wrote) => {
        const last = result.at(-1);
        if (last?.version === wrote) last.length += length;
        else if (length > 0) result.push({ length, version: wrote });
    };
    const rest = spans.map((span) => ({ ...span }));
    let index = 0;
    /** @type {(length: number, each: (length: number, version: number) => void) => void} */
    const walk = (length, each) => {
        let left = length;
        while (left > 0 && index < rest.length) {
            const span = rest[index];
            const taken = Math.min(left, span.length);
            each(taken, span.version);
            span.length -= taken;
            left -= taken;
            if (span.length === 0) index += 1;
        }
    };
    for (const part of delta) {
        if (typeof part === "string") add(part.length, version);
        else if (part > 0) walk(part, add);
        else walk(-part, () => {});
    }
    walk(Number.POSITIVE_INFINITY, add);
    return result;
}

/**
 * Splits a text into paragraphs at empty lines and list items.
 * @param {string} text
 * @param {Span[]} spans
 * @returns {Paragraph[]}
 */
export function paragraphs(text, spans) {
    /** @type {Paragraph[]} */
    const result = [];
    let [offset, span, end] = [0, 0, spans[0]?.length ?? 0];
    let isOpen = false;
    for (const line of text.split("\n")) {
        const from = offset;
        const to = from + line.length;
        offset = to + 1;
        if (line.trim() === "") {
            isOpen = false;
            continue;
        }
        while (end <= from && span < spans.length - 1) {
            span += 1;
            end += spans[span].length;
        }
        let version = spans[span]?.version ?? 0;
        for (let at = span, reach = end; reach < to && at < spans.length - 1; ) {
            at += 1;
            version = Math.max(version, spans[at].version);
            reach += spans[at].length;
        }
        const last = result.at(-1);
        if (isOpen && last && !/^\s*(?:[-*+]|\d+[.)])\s/.test(line)) {
            last.to = to;
            last.version = Math.max(last.version, version);
        } else result.push({ from, to, version });
        isOpen = true;
    }
    return result;
}

/** @typedef {{ kind: "same" | "added" | "removed", text: string }} Piece */

/**
 * Returns the pieces of a text that a version left, added or removed.
 * @param {string} before
 * @param {Delta} delta
 * @returns {Piece[]}
 */
export function pieces(before, delta) {
    /** @type {Piece[]} */
    const result = [];
    let offset = 0;
    for (const part of delta) {
        if (typeof part === "string") result.push({ kind: "added", text: part });
        else {
            const text = before.slice(offset, offset + Math.abs(part));
            result.push({ kind: part > 0 ? "same" : "removed", text });
            offset += Math.abs(part);
        }
    }
    if (offset < before.length) result.push({ kind: "same", text: before.slice(offset) });
    return result.filter(({ text }) => text !== "");
}
