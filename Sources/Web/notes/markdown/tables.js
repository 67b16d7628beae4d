/** The lines of a table, as GitHub Flavored Markdown 0.29 §4.10 has them. */

/** @import { Alignment } from "./nodes.js" */

/**
 * The columns that the line under a table's head tells of; null where it is no such line.
 * @param {string} line
 * @returns {Alignment[] | null}
 */
export function alignments(line) {
    if (!/^[|:\- \t]+$/.test(line) || !line.includes("|")) return null;
    const marks = cells(line);
    if (!marks.every((mark) => /^:?-+:?$/.test(mark))) return null;
    return marks.map((cell) => {
        const [left, right] = [cell.startsWith(":"), cell.endsWith(":")];
        if (left && right) return "center";
        return left ? "left" : right ? "right" : null;
    });
}

/**
 * The texts between the bars of a line.
 * @param {string} line
 */
export function cells(line) {
    const texts = [];
    let text = "";
    for (let index = 0; index < line.length; index += 1) {
        if (line[index] === "\\" && line[index + 1] === "|") {
            text += "|";
            index += 1;
        } else if (line[index] === "|") {
            texts.push(text.trim());
            text = "";
        } else {
            text += line[index];
        }
    }
    texts.push(text.trim());
    if (line.trimStart().startsWith("|")) texts.shift();
    if (texts.length > 1 && texts[texts.length - 1] === "") texts.pop();
    return texts;
}
