/** What a change will do, before it is done: the version and why, and who keeps what. */
import { foreign, h, icon } from "../shared/dom.js";
import { readable } from "./entries/difference.js";
import { bumpMark } from "./screens/parts.js";

/** @typedef {import("../shared/texts.js").Texts} Texts */

/**
 * A call that changes the config, before it is sent; `base` is the cursor that it was made for, `changes` what it has
 * of the draft.
 * @typedef {{method: string, path: string, query: Record<string, string | boolean>, body?: string, base: string,
 *     changes?: import("./state/draft.js").Changes}} Proposal
 */

/** So many reasons, and so many values that a major keeps, are told one by one. */
const most = 5;

/**
 * @param {import("../shared/api.js").API} api
 * @param {Proposal} proposal
 * @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
export async function forecastOf(api, { method, path, query, body, base }, signal) {
    return (await api.send(method, path, { query: { ...query, dry_run: true }, body, ifMatch: base, signal })).document;
}

/**
 * A release of whole entries.
 * @param {string} root of the environment's calls
 * @param {string} body
 * @param {string} base
 * @returns {Proposal}
 */
export const patch = (root, body, base) => ({
    method: "PATCH",
    path: `${root}/config`,
    query: { replace: true, form: "entries" },
    body,
    base,
});

/**
 * Version, reasons, and what each older major keeps.
 * @param {Texts} texts
 * @param {any} forecast of a dry run
 */
export function forecastView(texts, { bump, version, current_version: current, changes, majors = [], warnings = [] }) {
    if (bump === "none") return [h("p", { class: "hint" }, texts.say("forecast.nothing"))];
    const breaking = changes.filter((/** @type {any} */ change) => change.bump === bump);
    const reasons = some(
        breaking,
        (change) => [h("code", {}, change.key), ": ", reasonText(texts, change)],
        (n) => texts.say("forecast.more", { n }),
    );
    const kept = majors.map((/** @type {any} */ { major, keeps }) =>
        some(
            keeps,
            ({ key, value }) =>
                texts.parts("forecast.keeps", {
                    major: String(major),
                    key: h("code", {}, key),
                    value: h("code", {}, foreign(short(value))),
                }),
            (n) => texts.say("forecast.keeps.more", { major: String(major), n }),
        ),
    );
    return [
        h(
            "p",
            { class: "version" },
            h("span", {}, current),
            h("span", { "aria-hidden": "true" }, "→"),
            h("strong", {}, version),
            bumpMark(texts, bump),
        ),
        h("p", {}, texts.say(`forecast.${bump}`)),
        h("ul", { class: "reasons" }, reasons, kept),
        warnings.map((/** @type {string} */ warning) =>
            h("p", { class: "warning" }, icon("alert"), h("span", {}, foreign(warning))),
        ),
    ];
}

/**
 * Items of a list, the first ones by themselves, the others as a number.
 * @param {any[]} all
 * @param {(one: any) => import("../shared/dom.js").Children} say
 * @param {(count: number) => string} rest
 */
function some(all, say, rest) {
    const shown = all.slice(0, most).map((one) => h("li", {}, say(one)));
    return all.length > most ? [...shown, h("li", {}, rest(all.length - most))] : shown;
}

/** @param {string} value */
function short(value) {
    const text = readable(value);
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * @param {Texts} texts
 * @param {any} change of a forecast
 */
export function reasonText(texts, change) {
    const type = (/** @type {string | undefined} */ name) => (name ? texts.say(`type.${name}`) : "");
    return texts.parts(`reason.${change.reason}`, {
        path: h("code", {}, foreign(change.path ?? "")),
        from: type(change.from),
        to: type(change.to),
    });
}
