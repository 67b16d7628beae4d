/** The reasons why the server refuses a file, in words. */

/** @import { Texts } from "../shared/texts.js" */

/**
 * @param {Texts} texts
 * @param {{ type: string, detail: string } | null} problem
 */
export function fileProblem(texts, problem) {
    const kind = problem?.type ?? "";
    return texts.has(`file.problem.${kind}`) ? texts.say(`file.problem.${kind}`) : problem?.detail || kind;
}
