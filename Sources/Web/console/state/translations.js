/** The translated files of another flag system: the report, the choices in conflicts, and the edits of the draft. */

/** @typedef {import("./draft.js").Content} Content */
/** @typedef {import("./draft.js").Edit} Edit */
/** @typedef {"exact" | "differs" | "cannot"} Verdict */
/**
 * @typedef {{ source: string, key: string | null, verdict: Verdict, when?: string[], reason?: string, pointer: string }}
 * Line a line of the report
 * @typedef {{ key: string, value: string, kind: string, description?: string }} Change `value` is a JSON text
 * @typedef {"mine" | "theirs"} Side the environment, or the files
 * @typedef {{ key: string, source: string, part: string, before: string, after: string }} Conflict a part that changed on
 * both sides; `before` and `after` are the JSON texts here and in the files
 * @typedef {{ report: Line[], renamed: { source: string, attribute: string }[], changes: Change[], conflicts: Conflict[],
 *     gone: string[], stale: string[], removed: string[], unchanged: number }} Translation the response to
 * `POST /imports/{system}`
 */

/** The verdicts, those that need attention first. */
export const verdicts = /** @type {const} */ (["cannot", "differs", "exact"]);

/**
 * Returns the body of the call. The files stay as written, so that no number loses a digit.
 * @param {{ name: string, text: string }[]} files
 * @param {ReadonlyMap<string, Side>} sides the winners of conflicts by key
 */
export function importBody(files, sides) {
    const members = files.map(({ name, text }) => `{"name":${JSON.stringify(name.slice(0, 50))},"content":${text}}`);
    return `{"files":[${members}],"take":${JSON.stringify(Object.fromEntries(sides))}}`;
}

/**
 * Returns the lines with some verdicts, those that need attention first.
 * @param {Line[]} report
 * @param {ReadonlySet<Verdict>} wanted
 */
export const linesOf = (report, wanted) =>
    verdicts.flatMap((verdict) => (wanted.has(verdict) ? report.filter((line) => line.verdict === verdict) : []));

/** @param {Line[]} report @returns {Record<Verdict, number>} */
export function countsOf(report) {
    const counts = { exact: 0, differs: 0, cannot: 0 };
    for (const { verdict } of report) counts[verdict] += 1;
    return counts;
}

/**
 * Returns the conflicts by key.
 * @param {Conflict[]} conflicts
 * @returns {Map<string, Conflict[]>}
 */
export const byKey = (conflicts) => Map.groupBy(conflicts, ({ key }) => key);

/**
 * Returns the edits that make the changes, and the keys that the user may not change.
 * @param {Change[]} changes
 * @param {ReadonlyMap<string, Content>} config
 * @param {(key: string) => boolean} mayWrite
 * @returns {{ edits: Edit[], closed: string[] }}
 */
export function editsOf(changes, config, mayWrite) {
    /** @type {Edit[]} */
    const edits = [];
    const closed = [];
    for (const { key, value, kind, description } of changes) {
        const before = config.get(key) ?? null;
        const content = { value, description: description ?? before?.description ?? "" };
        if (!mayWrite(key)) closed.push(key);
        else edits.push([key, before, kind === "value" ? content : { ...content, kind }]);
    }
    return { edits, closed };
}
