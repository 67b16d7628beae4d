/** The changes of a flag in words, with the shares of changed rules and the variants of sampled users. */
import { fill, h, userText } from "../../shared/dom.js";
import { setKey } from "../state/flags.js";
import { exampleAttributes } from "../state/flags-contexts.js";
import { audiencesOf } from "../state/flags-references.js";
import { readOutcome } from "../state/flags-rules.js";
import { sharesOfOutcome } from "../state/flags-shares.js";
import { readTree, writeTree } from "../state/flags-tree.js";
import { audienceChanges, flagChanges, sampleText } from "../state/flags-words.js";
import { sharesView } from "./flags-sample.js";
import { paletteOf } from "./flags-shares-bar.js";

/** @typedef {import("../state/flags-tree.js").Members} Members */
/** @typedef {import("../state/flags-words.js").Said} Said */

/** The limit on the samples per flag. */
const maxSamples = 8;

/**
 * Returns a function that shows a flag's change in words; it returns null if words cannot say the change.
 * @param {import("../frame.js").Context} context
 * @param {boolean} isDraft true to sample users with the flag as it is and as it would be
 * @returns {import("../changes/difference.js").FlagReview}
 */
export function flagReview({ api, texts, workspace, signal }, isDraft) {
    /**
     * The last views by their newer content, because the review draws its list often.
     * @type {WeakMap<object, { before: object | null | undefined, view: HTMLElement }>}
     */
    const views = new WeakMap();
    /** The requests follow one another, because each one costs the server thousands of evaluations. */
    let last = Promise.resolve();
    /** @param {string} key @param {string} definition @param {Members} attributes @param {boolean} isNew */
    const sample = (key, definition, attributes, isNew) => {
        const place = h("p", { class: "hint" });
        const load = async () => {
            const path = `${workspace.root}/flags/${encodeURIComponent(key)}/sample`;
            const set = workspace.draft.change(setKey)?.after;
            const shared = set ? `, "$evaluators": ${writeTree(audiencesOf(set))}` : "";
            const body = `{"definition": ${definition}, "context": ${writeTree(attributes)}${shared}}`;
            try {
                const { document } = await api.send("POST", path, { body, signal });
                fill(place, userText(sampleText(texts, document, attributes, isNew)));
            } catch {
                // The forecast shows why the change is refused.
            }
        };
        last = last.then(load);
        return place;
    };
    /** @param {Said[]} said @param {(one: Said) => HTMLElement} [more] */
    const sentences = (said, more) => {
        const list = said.map((one) => h("li", {}, userText(one.text), more?.(one)));
        return list.length > 0 ? h("ul", { class: "reasons" }, list) : null;
    };
    return (key, { before: old, after }) => {
        const newest = after ?? old;
        if (newest?.kind === "flag-set") return sentences(audienceChanges(texts, old, after));
        if (newest?.kind !== "flag") return null;
        const known = after && views.get(after);
        if (known && known.before === old) return known.view;
        const before = old?.kind === "flag" ? old : null;
        const said = flagChanges(texts, before, after);
        if (said.length === 0) return null;
        const definition = /** @type {Members} */ (readTree(newest.value));
        const palette = paletteOf(texts, definition.get("variants") ?? new Map(), definition.get("defaultVariant"));
        /** @type {Set<string>} the attributes of samples */
        const sampled = new Set();
        /** @param {Members | null | undefined} attributes */
        const sampleOnce = (attributes) => {
            const text = attributes && writeTree(attributes);
            if (!isDraft || !after || !text || sampled.has(text) || sampled.size >= maxSamples) return null;
            sampled.add(text);
            return sample(key, after.value, attributes, !before);
        };
        const bars = (/** @type {import("../state/flags-words.js").Said["gives"]} */ gives = []) =>
            gives.some((tree) => tree && /^(?:split|ramp)$/.test(readOutcome(tree).kind)) &&
            gives.flatMap((tree, side) => {
                const shares = tree !== undefined && sharesOfOutcome(tree, workspace.now());
                return shares ? sharesView(texts, palette, shares, side ? "flag.after" : "flag.before") : [];
            });
        const list = sentences(said, ({ when, gives }) => {
            const users = when !== undefined && sampleOnce(exampleAttributes(when));
            return h("div", { class: "parts" }, bars(gives), users);
        });
        const view = h("div", { class: "parts" }, list, sampleOnce(new Map()));
        if (after) views.set(after, { before: old, view });
        return view;
    };
}
