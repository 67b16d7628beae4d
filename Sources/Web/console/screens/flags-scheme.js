/** A split or ramp by the hash of another flag system: its shares, and the way to Almanac's own split. */
import { confirm } from "../../shared/confirm.js";
import { button, fill, h } from "../../shared/dom.js";
import { unitText } from "../state/flags-rules.js";
import {
    bucketCount,
    hundredthsOf,
    piecesOf,
    rangesOf,
    schemeName,
    schemeOf,
    withOwnHash,
    withShares,
} from "../state/flags-schemes.js";
import { readPercent, sharesOfOutcome, sumOf } from "../state/flags-shares.js";
import { operatorOf, rule } from "../state/flags-tree.js";
import { addButton, iconButton, moveItems } from "./flags-fields.js";
import { percentages } from "./flags-percentages.js";

/** @import { Form, Slot } from "./flags-fields.js" */
/** @typedef {import("../state/flags-schemes.js").Piece} Piece */
/** @typedef {(place: string, variant: string | null, put: (variant: string | null) => void) => HTMLElement} VariantChoice */

/** Returns the arguments of the rule at a place. @param {Slot} slot */
const schemeAt = (slot) => /** @type {NonNullable<ReturnType<typeof schemeOf>>} */ (schemeOf(slot.get()));

/**
 * Names the system whose hash places the users, and offers Almanac's own.
 * @param {Form} form
 * @param {Slot} slot
 */
export function schemeLine(form, slot) {
    const { texts } = form;
    const { parameters, unit } = schemeAt(slot);
    const slots = { system: schemeName(parameters), unit: h("code", {}, unitText(unit)) };
    return h(
        "div",
        { class: "flag-line scheme" },
        h("span", { class: "hint" }, texts.parts("scheme.by", slots)),
        !form.readOnly && button(texts.say("scheme.own"), () => moveToOwn(form, slot), "quiet small"),
    );
}

/**
 * Asks before a split gets Almanac's own hash, and says how many users get another variant.
 * @param {Form} form
 * @param {Slot} slot
 */
function moveToOwn(form, slot) {
    const { texts, countMoved } = form;
    const next = withOwnHash(slot.get());
    const system = schemeName(schemeAt(slot).parameters);
    const count = h("p", { role: "status" }, countMoved ? texts.say("loading") : "");
    confirm(texts, {
        title: texts.say("scheme.own.title"),
        kind: "careful",
        body: [h("p", {}, texts.say("scheme.own.lead", { system })), count],
        answers: [
            {
                label: texts.say("scheme.own.go"),
                kind: "primary",
                run: () => {
                    slot.set(next);
                    form.redraw();
                },
            },
        ],
    });
    countMoved?.(slot.path, next).then(
        ({ moved: n, sampled: of }) => fill(count, texts.say(n ? "flag.moved" : "flag.moved.nobody", { n, of })),
        () => fill(count, texts.say("scheme.own.unknown")),
    );
}

/**
 * Shows the shares of another system's split. A change moves bounds between its buckets, so only users between the old
 * and the new bound move.
 * @param {Form} form
 * @param {Slot} slot
 * @param {VariantChoice} variantChoice
 */
export function schemeView(form, slot, variantChoice) {
    const { texts, palette } = form;
    const { path } = slot;
    const pieces = () => {
        const { parameters, rest } = schemeAt(slot);
        return piecesOf(parameters, rest[0]) ?? [];
    };
    /** @param {Piece[]} next */
    const take = (next) => {
        const { parameters, unit } = schemeAt(slot);
        const [name] = operatorOf(slot.get());
        slot.set(rule(`${name}`, [parameters, unit, rangesOf(parameters, next)]));
    };
    const { parameters } = schemeAt(slot);
    const count = bucketCount(parameters);
    const place = (/** @type {number} */ at) => `${path}/piece/${at}`;
    const split = percentages(form, {
        place,
        stored: () => hundredthsOf(parameters, pieces()).map((one) => texts.number(one / 100)),
        partsOf: (percents) => {
            const parts = percents.map((one) => Math.round(100 * (readPercent(one) ?? Number.NaN)));
            return sumOf(parts) === 10_000 ? parts : null;
        },
        put: (parts) => take(withShares(parameters, pieces(), parts)),
        shares: () => sharesOfOutcome(slot.get(), 0) ?? [],
        move: (border, hundredths) => {
            const all = pieces();
            const wanted =
                all[border].to + Math.sign(hundredths) * Math.max(1, Math.round((count * Math.abs(hundredths)) / 100));
            const to = Math.max(all[border - 1]?.to ?? 0, Math.min(all[border + 1].to, wanted));
            take(all.map((piece, at) => (at === border ? { ...piece, to } : piece)));
        },
    });
    const row = (/** @type {Piece} */ { variant }, /** @type {number} */ at) => {
        const put = (/** @type {string | null} */ to) =>
            take(pieces().map((piece, index) => (index === at ? { ...piece, variant: to } : piece)));
        const remove = () => {
            moveItems(form, `${path}/piece`, (index) => (index === at ? null : place(index > at ? index - 1 : index)));
            const all = pieces();
            // The buckets go to the piece after, or from the last one to the piece before.
            const next = all.filter((_, index) => index !== at);
            next[next.length - 1] = { ...next[next.length - 1], to: count };
            take(next);
        };
        return h(
            "div",
            { class: "flag-line bucket", "data-path": `${path}/almanac.split/2/${at}` },
            h("span", { class: `variant ${palette.color(variant)}` }),
            variantChoice(place(at), variant, put),
            texts.say("flag.to"),
            split.field(at),
            "%",
            pieces().length > 1 && iconButton(form, texts.say("flag.share.remove"), remove),
        );
    };
    const add = () => {
        const used = new Set(pieces().map(({ variant }) => variant));
        take([...pieces(), { variant: form.variants().find((name) => !used.has(name)) ?? null, to: count }]);
    };
    return [
        split.bar,
        ...pieces().map(row),
        h("div", { class: "flag-line" }, schemeLine(form, slot), addButton(form, "flag.share.add", add)),
    ];
}
