/** The difference of two texts by lines, and inside a line by words. */

/** @typedef {{ kind: "same" | "removed" | "added", text: string }} Piece */
/** @typedef {{ kind: "same" | "removed" | "added" | "gap", pieces: Piece[], count: number }} DiffLine */

/** The limit on edits, after which the middle counts as replaced. It bounds the time for texts without common lines. */
const maxEdits = 300;
/** The number of unchanged lines around a change. */
const context = 2;

/**
 * Returns a shortest edit script between two lists (Myers 1986), or a replacement of the middle if the script would be
 * long.
 * @param {string[]} before
 * @param {string[]} after
 * @returns {Piece[]} a piece per item
 */
export function difference(before, after) {
    let start = 0;
    while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
    let end = 0;
    const maxCommon = Math.min(before.length, after.length) - start;
    while (end < maxCommon && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
    /** @type {(text: string) => Piece} */
    const same = (text) => ({ kind: "same", text });
    return [
        ...before.slice(0, start).map(same),
        ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
        ...before.slice(before.length - end).map(same),
    ];
}

/**
 * @param {string[]} a
 * @param {string[]} b
 * @returns {Piece[]}
 */
function middle(a, b) {
    /** @type {Map<number, number>[]} the furthest points by diagonal, for each number of edits */
    const trace = [];
    let reach = new Map([[1, 0]]);
    for (let edits = 0; edits <= Math.min(a.length + b.length, maxEdits); edits += 1) {
        const next = new Map();
        for (let k = -edits; k <= edits; k += 2) {
            const down = k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
            let x = down ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
            while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
            next.set(k, x);
            if (x >= a.length && x - k >= b.length) return walkBack(a, b, [...trace, reach], k);
        }
        trace.push(reach);
        reach = next;
    }
    return [
        ...a.map((text) => /** @type {Piece} */ ({ kind: "removed", text })),
        ...b.map((text) => /** @type {Piece} */ ({ kind: "added", text })),
    ];
}

/**
 * @param {string[]} a
 * @param {string[]} b
 * @param {Map<number, number>[]} trace
 * @param {number} last the diagonal on which both lists end
 * @returns {Piece[]}
 */
function walkBack(a, b, trace, last) {
    /** @type {Piece[]} */
    const pieces = [];
    let x = a.length;
    let y = b.length;
    let k = last;
    for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
        const reach = trace[edits];
        const down = k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
        const before = down ? k + 1 : k - 1;
        // The end of this round's edit; the items after it are equal.
        const startX = edits === 0 ? 0 : (reach.get(before) ?? 0) + (down ? 0 : 1);
        while (x > startX) {
            x -= 1;
            y -= 1;
            pieces.push({ kind: "same", text: a[x] });
        }
        if (edits === 0) break;
        if (down) {
            y -= 1;
            pieces.push({ kind: "added", text: b[y] });
        } else {
            x -= 1;
            pieces.push({ kind: "removed", text: a[x] });
        }
        k = before;
    }
    return pieces.reverse();
}

const words = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/**
 * @param {string} before
 * @param {string} after
 * @returns {Piece[]} the pieces, with neighbours of the same kind joined
 */
export function wordDifference(before, after) {
    if (before.length + after.length > 20_000) {
        return [
            { kind: "removed", text: before },
            { kind: "added", text: after },
        ];
    }
    return joined(difference(before.match(words) ?? [], after.match(words) ?? []));
}

/** @param {Piece[]} pieces */
function joined(pieces) {
    /** @type {Piece[]} */
    const found = [];
    for (const piece of pieces) {
        const last = found.at(-1);
        if (last?.kind === piece.kind) last.text += piece.text;
        else found.push({ ...piece });
    }
    return found;
}

/**
 * Returns the changed lines with some context; differing words are marked if lines were replaced one by one.
 * @param {string} before
 * @param {string} after
 * @returns {DiffLine[]} a `gap` stands for `count` equal lines
 */
export function lineDifference(before, after) {
    const pieces = difference(before.split("\n"), after.split("\n"));
    /** @type {DiffLine[]} */
    const lines = [];
    for (let at = 0; at < pieces.length; ) {
        if (pieces[at].kind === "same") {
            lines.push({ kind: "same", pieces: [pieces[at]], count: 1 });
            at += 1;
            continue;
        }
        let end = at;
        while (end < pieces.length && pieces[end].kind !== "same") end += 1;
        lines.push(...replaced(pieces.slice(at, end)));
        at = end;
    }
    return withGaps(lines);
}

/**
 * @param {Piece[]} block adjacent removed and added lines
 * @returns {DiffLine[]}
 */
function replaced(block) {
    const removed = block.filter((piece) => piece.kind === "removed");
    const added = block.filter((piece) => piece.kind === "added");
    const pairs =
        removed.length === added.length
            ? removed.map((piece, index) => wordDifference(piece.text, added[index].text))
            : null;
    /** @type {(kind: "removed" | "added", list: Piece[]) => DiffLine[]} */
    const side = (kind, list) =>
        list.map((piece, index) => ({
            kind,
            pieces: pairs ? pairs[index].filter((part) => part.kind === "same" || part.kind === kind) : [piece],
            count: 1,
        }));
    return [...side("removed", removed), ...side("added", added)];
}

/**
 * @param {DiffLine[]} lines
 * @returns {DiffLine[]}
 */
function withGaps(lines) {
    /** @type {DiffLine[]} */
    const found = [];
    for (let at = 0; at < lines.length; ) {
        let end = at;
        while (end < lines.length && lines[end].kind === "same") end += 1;
        const head = at === 0 ? 0 : context;
        const tail = end === lines.length ? 0 : context;
        if (end - at > head + tail + 1) {
            found.push(...lines.slice(at, at + head), { kind: "gap", pieces: [], count: end - at - head - tail });
            found.push(...lines.slice(end - tail, end));
        } else found.push(...lines.slice(at, end));
        while (end < lines.length && lines[end].kind !== "same") found.push(lines[end++]);
        at = end;
    }
    return found;
}
