/** Items of lists as they are typed: what Enter begins, and how a task is ticked. */

/** @typedef {{ from: number, to: number, insert: string }} Change in a line, from its start */

const item = /^(\s*(?:>\s?)*\s*)(?:([-*+])|(\d{1,9})([.)]))(\s+)(?:\[([ xX])\](?=\s|$)(\s?))?/;

/**
 * The item that a line begins.
 * @param {string} line
 */
export function itemOf(line) {
    const match = item.exec(line);
    if (!match) return null;
    const [whole, indent, bullet, number, closing, space, mark, after] = match;
    return {
        indent,
        /** Where its text begins. */
        length: whole.length,
        bullet: bullet ?? `${number}${closing}`,
        next: bullet ?? `${Number(number) + 1}${closing}`,
        space,
        task: mark === undefined ? null : { at: whole.length - (after ?? "").length - 2, isTicked: mark !== " " },
    };
}

/**
 * What Enter does in a line: a change, or null where it only breaks the line.
 * @param {string} line
 * @param {number} column
 * @returns {Change | null}
 */
export function enter(line, column) {
    const begun = itemOf(line);
    if (!begun || column < begun.length) return null;
    // An item without a text ends the list.
    if (line.length === begun.length && line.trimEnd().length <= begun.length) {
        return { from: 0, to: line.length, insert: "" };
    }
    const task = begun.task ? "[ ] " : "";
    return { from: column, to: column, insert: `\n${begun.indent}${begun.next}${begun.space}${task}` };
}

/**
 * Ticks a task, or takes the tick away.
 * @param {string} line
 * @returns {Change | null}
 */
export function tick(line) {
    const task = itemOf(line)?.task;
    return task ? { from: task.at, to: task.at + 1, insert: task.isTicked ? " " : "x" } : null;
}

/**
 * Makes tasks of lines; where all are, ticks them, or takes the ticks away where all are ticked.
 * @param {string[]} lines
 * @returns {(Change | null)[]} one for each line
 */
export function toggleTasks(lines) {
    const written = lines.map((line) => lines.length === 1 || line.trim() !== "");
    const items = lines.map(itemOf);
    const isMade = items.every((each, index) => !written[index] || each?.task);
    if (!isMade) {
        return lines.map((line, index) => {
            const begun = items[index];
            if (!written[index] || begun?.task) return null;
            if (begun) return { from: begun.length, to: begun.length, insert: "[ ] " };
            const indent = /^\s*/.exec(line)?.[0].length ?? 0;
            return { from: indent, to: indent, insert: "- [ ] " };
        });
    }
    const isTicked = items.every((each, index) => !written[index] || each?.task?.isTicked);
    return items.map((each, index) => {
        if (!each?.task || !written[index] || each.task.isTicked !== isTicked) return null;
        return { from: each.task.at, to: each.task.at + 1, insert: isTicked ? " " : "x" };
    });
}
