/** The shares of each variant among sampled users, before and after a change. */
import { fill, h, userText } from "../../shared/dom.js";
import { sampleShares } from "../state/flags-shares.js";
import { readTree } from "../state/flags-tree.js";
import { flagChanges, percent } from "../state/flags-words.js";
import { paletteOf, shareBar } from "./flags-shares-bar.js";

/** @typedef {import("./flags-shares-bar.js").Palette} Palette */

/** The limit on the variants and moves shown. */
const maxShown = 12;

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {Palette} palette
 * @param {any} found the response of `POST /flags/{key}/sample`
 * @param {boolean} isChange
 */
export function sampleView(texts, palette, found, isChange) {
    const { sampled: of, moved, moves } = found;
    const variants = {
        color: (/** @type {string | null} */ variant) => (variant ? palette.color(variant) : ""),
        name: (/** @type {string | null} */ variant) => variant || texts.say("flag.none"),
    };
    const named = (/** @type {string | null} */ variant) => [
        h("span", { class: `variant ${variants.color(variant)}` }),
        variant ? userText(variant) : h("span", {}, variants.name(variant)),
    ];
    /** @param {import("../state/flags-shares.js").Share[]} shares @param {string} [label] */
    const bar = (shares, label) => {
        const shown = shares.filter(({ share }) => share > 0);
        return [
            h(
                "p",
                { class: "flag-line hint" },
                label && [h("span", {}, texts.say(label)), h("span", { class: "space" })],
                shown
                    .slice(0, maxShown)
                    .map(({ variant, share }) =>
                        h("span", { class: "flag-line" }, named(variant), percent(texts, share)),
                    ),
            ),
            shareBar(texts, variants, shown).element,
        ];
    };
    const [before, after] = sampleShares(found);
    const text = isChange ? (moved ? "flag.moved" : "flag.moved.nobody") : "flag.moved.unchanged";
    return [
        moved ? [...bar(before, "flag.before"), ...bar(after, "flag.after")] : bar(after),
        h("p", { class: moved ? "moved" : "" }, texts.say(text, { n: moved, of })),
        moves
            .slice(0, maxShown)
            .map((/** @type {any} */ { from, to, count }) =>
                h("p", { class: "flag-line" }, named(from), "→", named(to), h("strong", {}, texts.number(count))),
            ),
    ];
}

/**
 * Returns a function that shows a flag's change in words, with the shares before and after; it returns null if words
 * cannot say the change.
 * @param {import("../frame.js").Context} context
 */
export function flagReview({ api, texts, workspace, signal }) {
    /** @type {WeakMap<object, HTMLElement>} the samples by content, because the review draws its list often */
    const samples = new WeakMap();
    /** The requests follow one another, because each one costs the server thousands of evaluations. */
    let last = Promise.resolve();
    /** @param {string} key @param {any} after @param {HTMLElement} place */
    const load = async (key, after, place) => {
        const path = `${workspace.root}/flags/${encodeURIComponent(key)}/sample`;
        try {
            const { document } = await api.send("POST", path, { body: `{"definition": ${after.value}}`, signal });
            const definition = /** @type {any} */ (readTree(after.value));
            const palette = paletteOf(texts, definition.get("variants"), definition.get("defaultVariant"));
            fill(
                place,
                sampleView(texts, palette, document, true),
                h("p", { class: "hint" }, texts.say("flag.sample.hint")),
            );
        } catch {
            // The forecast shows why the change is refused.
        }
    };
    /** @param {string} key @param {import("../state/draft.js").Change} change */
    return (key, { before, after }) => {
        const words = flagChanges(texts, before, after);
        if (!after || words.length === 0) return null;
        let place = samples.get(after);
        if (!place) {
            const empty = h("div", { class: "parts" });
            last = last.then(() => load(key, after, empty));
            samples.set(after, empty);
            place = empty;
        }
        const list = words.map((one) => h("li", {}, userText(one)));
        return h("div", { class: "parts" }, h("ul", { class: "reasons" }, list), place);
    };
}
