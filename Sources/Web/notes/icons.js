/** The icons of the notes, and those that all pages share. */
import { icons as common, squareButton, svgIcon } from "../shared/dom.js";

/** @import { Texts } from "../shared/texts.js" */

const icons = {
    ...common,
    bullets: "M6 4h8M6 8h8M6 12h8M2.5 4v.1M2.5 8v.1M2.5 12v.1",
    case: "M1.5 12 5 3.5 8.5 12M2.7 9.2h4.6M14 7.2V12M14 9.6a2.1 2.4 0 1 0-4.2 0 2.1 2.4 0 0 0 4.2 0",
    cloud: "M4.8 12.5h6.4a2.8 2.8 0 0 0 .4-5.6 3.8 3.8 0 0 0-7.3.6 2.5 2.5 0 0 0 .5 5M6.2 9.5l1.4 1.4 2.4-2.5",
    clip: "M12.5 7.2 8 11.7a2.8 2.8 0 0 1-4-4l5-5a1.9 1.9 0 0 1 2.7 2.7L6.8 10.3a.9.9 0 0 1-1.3-1.3L9.8 4.7",
    code: "m5.5 4.5-4 3.5 4 3.5M10.5 4.5l4 3.5-4 3.5",
    device: "M4.5 2h7v12h-7zM7 12h2",
    edit: "M3 13l.6-2.7 7-7 2.1 2.1-7 7zM9.3 4.6l2.1 2.1",
    emphasis: "M7 2.5h5M4 13.5h5M9.8 2.5 6.2 13.5",
    eye: "M1.5 8s2.5-4.5 6.5-4.5S14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4",
    heading: "M3.5 2.5v11M12.5 2.5v11M3.5 8h9",
    indent: "M2.5 3h11M7.5 6.3h6M7.5 9.7h6M2.5 13h11M2.8 6.2 5 8 2.8 9.8",
    link: "M6.5 9.5l3-3M7 4.8l1.6-1.6a2.9 2.9 0 0 1 4.1 4.1L11 9M9 11.2l-1.6 1.6a2.9 2.9 0 0 1-4.1-4.1L5 7",
    list: "M2.5 4h11M2.5 8h11M2.5 12h11",
    numbers: "M6.5 4H14M6.5 8H14M6.5 12H14M2 3.2l1-.7v3M1.9 10.6c.2-.5 1.7-.6 1.7.3 0 .7-1.7 1.3-1.7 2.1h1.8",
    outdent: "M2.5 3h11M7.5 6.3h6M7.5 9.7h6M2.5 13h11M5 6.2 2.8 8 5 9.8",
    picture: "M2.5 3h11v10h-11zM2.8 11.5l3-3.2 2.4 2.4 2.2-2.2 2.8 2.8M10.7 5.8v.1",
    pin: "M6 2.5h4M6.5 2.5 6 7.5 4 9.5h8l-2-2-.5-5M8 9.5v4.5",
    quote: "M2.5 3v10M6 4.5h8M6 8h8M6 11.5h5",
    replace: "M2.5 5h10M9.8 2.3 12.5 5 9.8 7.7M13.5 11h-10M6.2 8.3 3.5 11l2.7 2.7",
    strike: "M2.5 8h11M11.5 4.8c-.3-1.4-1.6-2.3-3.4-2.3-2 0-3.4 1-3.4 2.6 0 .9.5 1.6 1.4 2.1M4.5 11c.3 1.5 1.6 2.5 3.6 2.5 2.1 0 3.5-1.1 3.5-2.8 0-.5-.1-.9-.3-1.3",
    strong: "M4.5 2.5h4.2a2.6 2.6 0 0 1 0 5.2H4.5zM4.5 7.7h5a2.9 2.9 0 0 1 0 5.8h-5z",
    sync: "M13 6.5a5.3 5.3 0 0 0-9.7-1.3M3 9.5a5.3 5.3 0 0 0 9.7 1.3M3 2.5v3h3M13 13.5v-3h-3",
    tag: "M2.5 2.5h5.5l5.5 5.5-5.5 5.5L2.5 8zM5.5 5.4v.1",
    task: "M2.5 2.5h11v11h-11zM5 8l2.2 2.2 4-4.2",
    up: "m4 10 4-4 4 4",
    word: "M6.8 5.3v5.2M6.8 8a2.1 2.5 0 1 0-4.2 0 2.1 2.5 0 0 0 4.2 0M9.2 2.5v8M9.2 8a2.1 2.5 0 1 0 4.2 0 2.1 2.5 0 0 0-4.2 0M2 13.5h12",
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
