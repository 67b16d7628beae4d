// What is at hand everywhere: the command palette, the list of keys, and the curl line of any call.

import { h, icon } from "../shared/dom.js";
import { openPalette } from "./command-palette.js";
import { openCurl } from "./curl.js";
import { openHelp } from "./help.js";

/** @typedef {import("./frame.js").Frame} Frame */

/**
 * Adds the tools to a frame before it starts.
 * @param {Frame} frame
 */
export function addTools(frame) {
    const palette = () => openPalette(frame);
    const help = () => openHelp(frame);
    frame.keys.add({ keys: "Mod+k", label: "palette.title", run: palette });
    frame.keys.add({ keys: "?", label: "help.title", run: help });
    frame.addEventListener("curl", (event) => openCurl(frame, /** @type {CustomEvent} */ (event).detail));
    frame.addEventListener("bar", (event) => {
        const { texts, keys } = frame;
        const place = /** @type {CustomEvent<HTMLElement>} */ (event).detail;
        place.parentElement
            ?.querySelector('[aria-current="page"]')
            ?.scrollIntoView({ block: "nearest", inline: "center" });
        place.append(
            h(
                "button",
                {
                    type: "button",
                    class: "palette-button",
                    id: "palette",
                    "aria-label": texts.say("palette.title"),
                    onclick: palette,
                },
                icon("search"),
                h("span", {}, texts.say("palette.short")),
                h("kbd", {}, keys.shown("Mod+k").toUpperCase()),
            ),
            h(
                "button",
                {
                    type: "button",
                    class: "quiet square",
                    id: "help",
                    "aria-label": texts.say("help.title"),
                    onclick: help,
                },
                "?",
            ),
        );
    });
}
