import { isKey, isKeyPattern, isNoteID, isTag } from "../../../Sources/Web/shared/formats.js";
import { equal } from "./checks.js";

const root = new URL("../../../", import.meta.url);
const read = (/** @type {string} */ path) => Deno.readTextFileSync(new URL(path, root));
/** @type {Record<string, { schema?: string, parameter?: string, valid: string[], invalid: string[] }>} */
const cases = JSON.parse(read("Tests/Core/FormsTests/cases.json"));

/** @param {string} name @param {(text: string) => boolean} isValid */
function hold(name, isValid) {
    for (const list of /** @type {const} */ (["valid", "invalid"])) {
        for (const text of cases[name][list]) equal([name, text, isValid(text)], [name, text, list === "valid"]);
    }
}

Deno.test("each form of the pages takes and refuses what the cases say", () => {
    hold("entry key", isKey);
    hold("entry key pattern", isKeyPattern);
    hold("note id", isNoteID);
    hold("tag", isTag);
});

/**
 * Returns the lines that define one schema or parameter of the API.
 * @param {string} name
 */
function described(name) {
    const folder = "Sources/Web/api/openapi/";
    const files = ["schemas/values.yaml", "schemas/identity.yaml", "schemas/note-actions.yaml"];
    for (const file of [...files, "components/parameters.yaml"]) {
        const lines = read(folder + file).split("\n");
        const start = lines.indexOf(`    ${name}:`);
        if (start >= 0) {
            const length = lines.slice(start + 1).findIndex((line) => /^ {0,4}\S/.test(line));
            return lines.slice(start, length < 0 ? undefined : start + 1 + length).join("\n");
        }
    }
    throw new Error(`${name} is not described`);
}

Deno.test("the description of the API has the same forms", () => {
    for (const [name, { schema, parameter }] of Object.entries(cases)) {
        const place = schema ?? parameter;
        if (!place) continue;
        const text = described(place);
        const pattern = /^ +pattern: '(.*)'$/m.exec(text)?.[1];
        const least = Number(/^ +minLength: (\d+)$/m.exec(text)?.[1] ?? 0);
        const most = Number(/^ +maxLength: (\d+)$/m.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);
        equal([name, pattern !== undefined || Number.isFinite(most)], [name, true]);
        // Schemas cannot express control characters in tags, nor lengths in bytes.
        const isBeyond = (/** @type {string} */ value) =>
            (name === "tag" && /\p{Cc}/u.test(value)) || (name === "message" && /[^\0-\x7f]/.test(value));
        for (const value of cases[name].valid.filter((each) => !isBeyond(each))) check(value, true);
        for (const value of cases[name].invalid.filter((each) => !isBeyond(each))) check(value, false);

        /** @param {string} value @param {boolean} expected */
        function check(value, expected) {
            const fits = pattern === undefined || new RegExp(pattern, "u").test(value);
            const length = [...value].length;
            equal([name, value, fits && length >= least && length <= most], [name, value, expected]);
        }
    }
});
