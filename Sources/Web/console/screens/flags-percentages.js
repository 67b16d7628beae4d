/** The fields of a split's percentages, whose sum is 100, with the bar that shows them. */
import { readPercent, sumOf, withPercent } from "../state/flags-shares.js";
import { input } from "./flags-fields.js";
import { shareBar } from "./flags-shares-bar.js";

/** @import { Form } from "./flags-fields.js" */

/**
 * @typedef {object} Split
 * @property {(at: number) => string} place the place of a field, for invalid texts
 * @property {() => string[]} stored the percentages as texts
 * @property {(percents: string[]) => number[] | null} partsOf returns what the split stores for percentages; null if
 *     their sum is not 100
 * @property {(parts: number[]) => void} put stores these
 * @property {() => Parameters<typeof shareBar>[2]} shares
 * @property {(border: number, hundredths: number) => void} move moves a border of the bar
 */

/**
 * @param {Form} form
 * @param {Split} split
 * @returns {{bar: HTMLElement, field: (at: number) => HTMLElement}} the bar, and a maker of the field of a share
 */
export function percentages(form, { place, stored, partsOf, put, shares, move }) {
    const { texts } = form;
    /** @type {(HTMLInputElement | HTMLTextAreaElement)[]} */
    const fields = [];
    const shown = stored();
    /** Returns the texts of all fields; a field that does not exist yet has its typed or stored text. */
    const entered = () =>
        shown.map((text, at) => fields[at]?.value ?? form.invalid.get(`${place(at)} flag.weight`)?.text ?? text);
    /** Checks invalid fields again, whose sum depends on the other fields. */
    const checkOthers = () => {
        for (const field of fields) if ("invalid" in field.dataset) field.dispatchEvent(new Event("input"));
    };
    /** @param {number} border @param {number} hundredths */
    const drag = (border, hundredths) => {
        move(border, hundredths);
        for (const [at, text] of stored().entries()) fields[at].value = text;
        checkOthers();
        return shares();
    };
    const bar = shareBar(texts, form.palette, shares(), form.readOnly ? undefined : drag);
    /** @param {number} at */
    const field = (at) => {
        const completed = (/** @type {string} */ text) =>
            withPercent(entered(), at, text, (percent) => texts.number(percent));
        const takeAll = (/** @type {string} */ text) => {
            const all = completed(text);
            const parts = partsOf(all);
            if (!parts) return;
            for (const [other, one] of all.entries()) if (other !== at) fields[other].value = one;
            put(parts);
            bar.show(shares());
        };
        const fault = (/** @type {string} */ text) => {
            if (readPercent(text) === null) return texts.say("flag.weight.fault");
            const all = completed(text);
            if (`${all}` === `${stored()}` || partsOf(all)) return null;
            const sum = sumOf(all.map((one) => readPercent(one) ?? 0));
            return texts.say("flag.sum.fault", { sum: texts.number(sum) });
        };
        const more = { inputmode: "decimal", class: "weight", dir: "ltr", fault };
        fields[at] = input(form, place(at), "flag.weight", shown[at], takeAll, more);
        // Events of checks are not trusted.
        fields[at].addEventListener("input", ({ isTrusted }) => isTrusted && checkOthers());
        return fields[at];
    };
    return { bar: bar.element, field };
}
