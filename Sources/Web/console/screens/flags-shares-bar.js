/** A bar of shares, whose borders can be moved by pointer or keyboard. */
import { h } from "../../shared/dom.js";
import { sharesText } from "../state/flags-words.js";

/** @typedef {import("../state/flags-shares.js").Share} Share */

/**
 * @typedef {object} Palette the colours and names of variants
 * @property {(variant: string | null) => string} color returns a CSS class
 * @property {(variant: string | null) => string} name
 */

const colors = 6;

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {Map<string, unknown>} variants
 * @param {unknown} standard the default variant
 * @returns {Palette}
 */
export function paletteOf(texts, variants, standard) {
    const names = [...variants.keys()];
    return {
        color: (variant) => `v${names.indexOf(`${variant ?? standard}`) % colors}`,
        name: (variant) => variant ?? texts.say("flag.then.default"),
    };
}

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {Palette} palette
 * @param {Share[]} shares
 * @param {(border: number, hundredths: number) => Share[]} [move] moves a border; without it the bar is read-only
 */
export function shareBar(texts, palette, shares, move) {
    const pieces = shares.map(({ variant }) => h("span", { class: `share ${palette.color(variant)}` }));
    /** @param {number} border its index; the result is its position in hundredths */
    const place = (border) => 100 * shares.slice(0, border + 1).reduce((sum, { share }) => sum + share, 0);
    const handles = move
        ? shares.slice(1).map((after, border) => {
              const [one, other] = [palette.name(shares[border].variant), palette.name(after.variant)];
              return h("span", {
                  class: "share-border",
                  role: "slider",
                  tabindex: "0",
                  "aria-label": texts.say("flag.border", { one, other }),
                  onkeydown: (/** @type {KeyboardEvent} */ event) => press(event, border),
                  onpointerdown: (/** @type {PointerEvent} */ event) =>
                      handles[border].setPointerCapture(event.pointerId),
                  onpointermove: (/** @type {PointerEvent} */ event) => drag(event, border),
              });
          })
        : [];
    const element = h("div", { class: "shares", role: move ? null : "img" }, pieces, handles);
    /** @param {Share[]} now */
    const show = (now) => {
        shares = now;
        const text = sharesText(texts, now, palette.name);
        if (!move) element.setAttribute("aria-label", text);
        for (const [at, { share }] of now.entries()) pieces[at].style.setProperty("flex-grow", String(share));
        for (const [border, handle] of handles.entries()) {
            const [low, at, high] = [border ? place(border - 1) : 0, place(border), place(border + 1)].map(Math.round);
            handle.style.setProperty("inset-inline-start", `${place(border)}%`);
            handle.setAttribute("aria-valuemin", String(low));
            handle.setAttribute("aria-valuenow", String(at));
            handle.setAttribute("aria-valuemax", String(high));
            handle.setAttribute("aria-valuetext", text);
        }
    };
    /** @param {number} border @param {number} hundredths */
    const step = (border, hundredths) => hundredths !== 0 && move && show(move(border, hundredths));
    /** @param {KeyboardEvent} event @param {number} border */
    const press = (event, border) => {
        /** @type {Record<string, number>} */
        const steps = {
            ArrowRight: 1,
            ArrowUp: 1,
            ArrowLeft: -1,
            ArrowDown: -1,
            PageUp: 10,
            PageDown: -10,
            Home: -100,
            End: 100,
        };
        if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        step(border, steps[event.key]);
    };
    /** @param {PointerEvent} event @param {number} border */
    const drag = (event, border) => {
        if (!handles[border].hasPointerCapture(event.pointerId)) return;
        const box = element.getBoundingClientRect();
        const wanted = Math.round((100 * (event.clientX - box.left)) / box.width);
        step(border, wanted - Math.round(place(border)));
    };
    show(shares);
    return { element, show };
}
