/** The shares of each variant among sampled users, before and after a change. */
import { h, userText } from "../../shared/dom.js";
import { sampleShares } from "../state/flags-shares.js";
import { percent } from "../state/flags-words.js";
import { shareBar } from "./flags-shares-bar.js";

/** @typedef {import("./flags-shares-bar.js").Palette} Palette */

/** The limit on the variants and moves shown. */
const maxShown = 12;

/**
 * Shows shares as a line of text and a bar.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {Palette} palette
 * @param {import("../state/flags-shares.js").Share[]} shares
 * @param {string} [label] a key of the texts
 */
export function sharesView(texts, palette, shares, label) {
    const shown = shares.filter(({ share }) => share > 0);
    return [
        h(
            "p",
            { class: "flag-line hint" },
            label && [h("span", {}, texts.say(label)), h("span", { class: "space" })],
            shown
                .slice(0, maxShown)
                .map(({ variant, share }) =>
                    h("span", { class: "flag-line" }, variantName(palette, variant), percent(texts, share)),
                ),
        ),
        shareBar(texts, palette, shown).element,
    ];
}

/** @param {Palette} palette @param {string | null} variant */
const variantName = (palette, variant) => [
    h("span", { class: `variant ${palette.color(variant)}` }),
    variant ? userText(variant) : h("span", {}, palette.name(variant)),
];

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {Palette} palette
 * @param {any} found the response of `POST /flags/{key}/sample`
 * @param {boolean} isChange
 */
export function sampleView(texts, palette, found, isChange) {
    const { sampled: of, moved, moves } = found;
    /** @type {Palette} */
    const variants = {
        color: (variant) => (variant ? palette.color(variant) : ""),
        name: (variant) => variant || texts.say("flag.none"),
    };
    const bar = (/** @type {any} */ shares, /** @type {string} */ label) => sharesView(texts, variants, shares, label);
    const [before, after] = sampleShares(found);
    const text = isChange ? (moved ? "flag.moved" : "flag.moved.nobody") : "flag.moved.unchanged";
    return [
        moved ? [...bar(before, "flag.before"), ...bar(after, "flag.after")] : bar(after, ""),
        h("p", { class: moved ? "moved" : "" }, texts.say(text, { n: moved, of })),
        moves
            .slice(0, maxShown)
            .map((/** @type {any} */ { from, to, count }) =>
                h(
                    "p",
                    { class: "flag-line" },
                    variantName(variants, from),
                    "→",
                    variantName(variants, to),
                    h("strong", {}, texts.number(count)),
                ),
            ),
    ];
}
