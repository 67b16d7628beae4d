/** The icons of the notes, and those that all pages share. */
import { icons as common, squareButton, svgIcon } from "../shared/dom.js";

/** @import { Texts } from "../shared/texts.js" */

const icons = {
    ...common,
    cloud: "M4.8 12.5h6.4a2.8 2.8 0 0 0 .4-5.6 3.8 3.8 0 0 0-7.3.6 2.5 2.5 0 0 0 .5 5M6.2 9.5l1.4 1.4 2.4-2.5",
    device: "M4.5 2h7v12h-7zM7 12h2",
    edit: "M3 13l.6-2.7 7-7 2.1 2.1-7 7zM9.3 4.6l2.1 2.1",
    eye: "M1.5 8s2.5-4.5 6.5-4.5S14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4",
    list: "M2.5 4h11M2.5 8h11M2.5 12h11",
    pin: "M6 2.5h4M6.5 2.5 6 7.5 4 9.5h8l-2-2-.5-5M8 9.5v4.5",
    sync: "M13 6.5a5.3 5.3 0 0 0-9.7-1.3M3 9.5a5.3 5.3 0 0 0 9.7 1.3M3 2.5v3h3M13 13.5v-3h-3",
    tag: "M2.5 2.5h5.5l5.5 5.5-5.5 5.5L2.5 8zM5.5 5.4v.1",
    up: "m4 10 4-4 4 4",
};

/** @param {keyof typeof icons} name */
export const icon = (name) => svgIcon(icons[name]);

/**
 * Returns a button with an icon, and a label for screen readers and the tooltip.
 * @param {Texts} texts
 * @param {keyof typeof icons} picture
 * @param {string} label
 * @param {() => void} onclick
 * @param {string} [kind] CSS classes
 */
export function iconButton(texts, picture, label, onclick, kind = "quiet square") {
    const title = texts.say(label);
    return squareButton(title, icon(picture), onclick, { title, class: kind });
}
