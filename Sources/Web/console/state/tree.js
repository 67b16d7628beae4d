/** Entries as a tree, split at the dots of their keys. */

/** @typedef {import("./entries.js").Row} Row */
/** @typedef {{ kind: "entry", row: Row, depth: number, label: string }} EntryLine */
/** @typedef {{ kind: "group", path: string, depth: number, label: string, count: number, open: boolean }} GroupLine */
/** @typedef {EntryLine | GroupLine} Line */

/**
 * @param {Row[]} rows
 * @returns {EntryLine[]}
 */
export function flatLines(rows) {
    return rows.map((row) => ({ kind: "entry", row, depth: 0, label: row.key }));
}

/**
 * Returns the visible lines. Keys with a common prefix up to a dot form a group; a group with a single subgroup is
 * merged with it.
 * @param {Row[]} rows sorted by key
 * @param {(path: string, depth: number) => boolean} isOpen
 * @returns {Line[]}
 */
export function treeLines(rows, isOpen) {
    /** @type {Line[]} */
    const lines = [];
    /** @type {(from: number, to: number, start: number, depth: number) => void} */
    const walk = (from, to, start, depth) => {
        let at = from;
        while (at < to) {
            const { key } = rows[at];
            const dot = key.indexOf(".", start);
            const end = dot < 0 ? at + 1 : endOfGroup(rows, at, to, key.slice(0, dot + 1));
            if (end - at < 2) {
                lines.push({ kind: "entry", row: rows[at], depth, label: key.slice(start) });
                at += 1;
                continue;
            }
            const path = sharedPath(key, rows[end - 1].key);
            const open = isOpen(path, depth);
            lines.push({ kind: "group", path, depth, label: path.slice(start), count: end - at, open });
            if (open) walk(at, end, path.length, depth + 1);
            at = end;
        }
    };
    walk(0, rows.length, 0, 0);
    return lines;
}

/** The open groups, and a cached tree for each list of rows. */
export class Trees {
    constructor() {
        /** @type {Map<string, boolean>} groups opened or closed by the user */
        this.toggled = new Map();
        /** @type {WeakMap<Row[], { open: boolean, lines: Line[] }>} */
        this.known = new WeakMap();
    }

    /**
     * @param {string} path
     * @param {boolean} open
     */
    toggle(path, open) {
        this.toggled.set(path, open);
        this.known = new WeakMap();
    }

    /**
     * Opens the groups around an entry.
     * @param {string} key
     */
    reveal(key) {
        for (let dot = key.indexOf("."); dot >= 0; dot = key.indexOf(".", dot + 1))
            this.toggle(key.slice(0, dot + 1), true);
    }

    /**
     * @param {Row[]} rows sorted by key
     * @param {boolean} open true if untouched groups are open
     */
    lines(rows, open) {
        const known = this.known.get(rows);
        if (known?.open === open) return known.lines;
        const lines = treeLines(rows, (path) => this.toggled.get(path) ?? open);
        this.known.set(rows, { open, lines });
        return lines;
    }
}

/**
 * Returns a key with another prefix.
 * @param {string} key
 * @param {string} from the key's prefix
 * @param {string} to
 */
export const movedKey = (key, from, to) => to + key.slice(from.length);

/**
 * Finds the end of the keys with a prefix: by doubling, then by bisection, because most groups are small.
 * @param {Row[]} rows
 * @param {number} from
 * @param {number} to
 * @param {string} path
 */
function endOfGroup(rows, from, to, path) {
    let step = 1;
    while (from + step < to && rows[from + step].key.startsWith(path)) step *= 2;
    let low = from + (step >> 1) + 1;
    let high = Math.min(from + step, to);
    while (low < high) {
        const middle = (low + high) >> 1;
        if (rows[middle].key.startsWith(path)) low = middle + 1;
        else high = middle;
    }
    return low;
}

/**
 * Returns the common prefix of two keys up to a dot.
 * @param {string} one
 * @param {string} other
 */
export function sharedPath(one, other) {
    let end = 0;
    for (let at = 0; at < one.length && one[at] === other[at]; at += 1) if (one[at] === ".") end = at + 1;
    return one.slice(0, end);
}
