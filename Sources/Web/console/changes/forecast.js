/** The forecast of a change: the new version and its reasons, and the keys whose new value older majors do not get. */
import { h, icon, userText } from "../../shared/dom.js";
import { bumpMark } from "../controls/controls.js";
import { readable } from "./difference.js";

/** @typedef {import("../../shared/texts.js").Texts} Texts */

/**
 * A request that changes the config. `base` is the cursor that the request was built on, `changes` the included part of
 * the draft.
 * @typedef {{method: string, path: string, query: Record<string, string | boolean>, body?: string, base: string,
 *     changes?: import("../state/draft.js").Changes}} Proposal
 */

/** The limit on listed reasons, and on listed values per major. */
const maxListed = 5;

/**
 * @param {import("../../shared/api.js").API} api
 * @param {Proposal} proposal
 * @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
export async function forecastOf(api, { method, path, query, body, base }, signal) {
    return (await api.send(method, path, { query: { ...query, dry_run: true }, body, ifMatch: base, signal })).document;
}

/**
 * Creates a proposal that writes whole entries.
 * @param {string} root the base path of the environment's API
 * @param {string} body
 * @param {string} base
 * @returns {Proposal}
 */
export const entriesProposal = (root, body, base) => ({
    method: "PATCH",
    path: `${root}/config`,
    query: { replace: true, form: "entries" },
    body,
    base,
});

/**
 * Shows the version, the reasons, and the keys whose new value each older major does not get.
 * @param {Texts} texts
 * @param {any} forecast the response to a dry run
 */
export function forecastView(texts, { bump, version, current_version: current, changes, majors = [], warnings = [] }) {
    if (bump === "none") return [h("p", { class: "hint" }, texts.say("forecast.nothing"))];
    const breaking = changes.filter((/** @type {any} */ change) => change.bump === bump);
    const reasons = limitedItems(
        breaking,
        (change) => [h("code", {}, change.key), ": ", reasonText(texts, change)],
        (n) => texts.say("forecast.more", { n }),
    );
    const kept = majors.map((/** @type {any} */ { major, keeps, withheld }) =>
        limitedItems(
            [...keeps, ...withheld],
            ({ key, value, reason }) => [
                texts.parts(value === undefined ? "forecast.withheld" : "forecast.keeps", {
                    major: String(major),
                    key: h("code", {}, key),
                    value: value === undefined ? "" : h("code", {}, userText(short(value))),
                }),
                reason && [": ", userText(reason)],
            ],
            (n) => texts.say("forecast.more", { n }),
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
            h("p", { class: "warning" }, icon("alert"), h("span", {}, userText(warning))),
        ),
    ];
}

/**
 * Creates list items for the first elements, and one item with the number of omitted ones.
 * @param {any[]} all
 * @param {(one: any) => import("../../shared/dom.js").Children} render
 * @param {(count: number) => string} renderOmitted
 */
export function limitedItems(all, render, renderOmitted) {
    const shown = all.slice(0, maxListed).map((one) => h("li", {}, render(one)));
    return all.length > maxListed ? [...shown, h("li", {}, renderOmitted(all.length - maxListed))] : shown;
}

/** @param {string} value */
function short(value) {
    const text = readable(value);
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * @param {Texts} texts
 * @param {any} change an element of a forecast's `changes`
 */
export function reasonText(texts, change) {
    const type = (/** @type {string | undefined} */ name) => (name ? texts.say(`type.${name}`) : "");
    return texts.parts(`reason.${change.reason}`, {
        path: h("code", {}, userText(change.path ?? "")),
        from: type(change.from),
        to: type(change.to),
    });
}
