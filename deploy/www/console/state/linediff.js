// What differs between two texts, line by line, and inside a line that was replaced by one other.

/**
 * A line of a diff. `from` and `to` bound the part that differs from the line that it stands in place of.
 * @typedef {{kind: "same" | "removed" | "added", text: string, from?: number, to?: number}} DiffLine
 * @typedef {{kind: "skipped", count: number}} DiffGap
 */

/** How many lines may differ before the shortest diff is no longer looked for. */
const patience = 1000;

/** @param {string} before @param {string} after @returns {DiffLine[]} */
export function diffLines(before, after) {
    const old = before === "" ? [] : before.split("\n");
    const now = after === "" ? [] : after.split("\n");
    let start = 0;
    while (start < old.length && start < now.length && old[start] === now[start]) start++;
    let end = 0;
    while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
    const middle = shortest(old.slice(start, old.length - end), now.slice(start, now.length - end));
    /** @type {DiffLine[]} */
    const lines = [
        ...old.slice(0, start).map(same),
        ...middle,
        ...old.slice(old.length - end).map(same),
    ];
    return withInnerDifferences(lines);
}

/** @param {string} text @returns {DiffLine} */
const same = (text) => ({ kind: "same", text });
/** @param {string} text @returns {DiffLine} */
const removed = (text) => ({ kind: "removed", text });
/** @param {string} text @returns {DiffLine} */
const added = (text) => ({ kind: "added", text });

/**
 * Myers' shortest edit script (1986); everything removed and added where that would take too long.
 * @param {string[]} old @param {string[]} now @returns {DiffLine[]}
 */
function shortest(old, now) {
    const most = Math.min(old.length + now.length, patience);
    /** @type {Int32Array[]} */
    const trace = [];
    const offset = most + 1;
    const reach = new Int32Array(2 * most + 3);
    for (let edits = 0; edits <= most; edits++) {
        trace.push(reach.slice(offset - edits - 1, offset + edits + 2));
        for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
            const down =
                diagonal === -edits ||
                (diagonal !== edits && reach[offset + diagonal - 1] < reach[offset + diagonal + 1]);
            let x = down ? reach[offset + diagonal + 1] : reach[offset + diagonal - 1] + 1;
            while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x++;
            reach[offset + diagonal] = x;
            if (x >= old.length && x - diagonal >= now.length) return back(trace, old, now);
        }
    }
    return [...old.map(removed), ...now.map(added)];
}

/** @param {Int32Array[]} trace @param {string[]} old @param {string[]} now @returns {DiffLine[]} */
function back(trace, old, now) {
    /** @type {DiffLine[]} */
    const lines = [];
    let x = old.length;
    let y = now.length;
    for (let edits = trace.length - 1; edits > 0; edits--) {
        const reach = trace[edits];
        const diagonal = x - y;
        const at = (/** @type {number} */ k) => reach[k + edits + 1];
        const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
        const oldX = down ? at(diagonal + 1) : at(diagonal - 1);
        const oldY = oldX - (down ? diagonal + 1 : diagonal - 1);
        while (x > oldX && y > oldY && x > 0 && y > 0 && old[x - 1] === now[y - 1]) {
            lines.push(same(old[--x]));
            y--;
        }
        if (down) lines.push(added(now[--y]));
        else lines.push(removed(old[--x]));
    }
    while (x > 0) lines.push(same(old[--x]));
    return lines.reverse();
}

/** @param {DiffLine[]} lines @returns {DiffLine[]} */
function withInnerDifferences(lines) {
    for (let at = 0; at < lines.length; ) {
        let middle = at;
        while (lines[middle]?.kind === "removed") middle++;
        let end = middle;
        while (lines[end]?.kind === "added") end++;
        if (middle > at && end - middle === middle - at) {
            for (let pair = 0; pair < middle - at; pair++) markInner(lines[at + pair], lines[middle + pair]);
        }
        at = Math.max(end, at + 1);
    }
    return lines;
}

/** @param {DiffLine} old @param {DiffLine} now */
function markInner(old, now) {
    const shorter = Math.min(old.text.length, now.text.length);
    let start = 0;
    while (start < shorter && old.text[start] === now.text[start]) start++;
    let end = 0;
    while (end < shorter - start && old.text.at(-1 - end) === now.text.at(-1 - end)) end++;
    // A difference never begins or ends between the two halves of a character.
    if (start > 0 && /[\ud800-\udbff]/.test(old.text[start - 1])) start--;
    if (end > 0 && /[\udc00-\udfff]/.test(old.text[old.text.length - end])) end--;
    if (start + end === 0) return;
    for (const line of [old, now]) {
        line.from = start;
        line.to = line.text.length - end;
    }
}

/**
 * The same diff with long runs of equal lines left out but for those beside a difference.
 * @param {DiffLine[]} lines @param {number} context @returns {(DiffLine | DiffGap)[]}
 */
export function withoutDistant(lines, context) {
    /** @type {(DiffLine | DiffGap)[]} */
    const result = [];
    for (let at = 0; at < lines.length; ) {
        let end = at;
        while (lines[end]?.kind === "same") end++;
        const head = at === 0 ? 0 : context;
        const tail = end === lines.length ? 0 : context;
        if (end - at > head + tail + 1) {
            result.push(...lines.slice(at, at + head));
            result.push({ kind: "skipped", count: end - at - head - tail });
            result.push(...lines.slice(end - tail, end));
        } else {
            result.push(...lines.slice(at, end));
        }
        if (end < lines.length) result.push(lines[end++]);
        at = end;
    }
    return result;
}
