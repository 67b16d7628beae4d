/** The looks of the notes' texts that a user chooses: size, width of the lines, and typeface. */
import { choice } from "../shared/page-frame.js";

/** @import { Settings } from "../shared/settings.js" */
/** @import { Texts } from "../shared/texts.js" */

/** The values of each setting; `normal` is the default. Style sheets know the settings as data attributes of the root. */
const values = /** @type {const} */ ({
    textSize: ["small", "normal", "large"],
    lineWidth: ["narrow", "normal", "full"],
    typeface: ["normal", "mono"],
});
const names = /** @type {(keyof values)[]} */ (Object.keys(values));

/** Applies the settings to the page. @param {Settings} settings */
export function applyTextLooks(settings) {
    for (const name of names) document.documentElement.dataset[name] = settings.get(name) ?? "normal";
}

/**
 * Creates the fields for the settings.
 * @param {Texts} texts
 * @param {Settings} settings
 */
export const textLooks = (texts, settings) =>
    names.map((name) => {
        const pairs = values[name].map((value) => [value, texts.say(`settings.${name}.${value}`)]);
        return choice(texts.say(`settings.${name}`), pairs, settings.get(name) ?? "normal", (value) => {
            settings.set(name, value === "normal" ? null : value);
            applyTextLooks(settings);
        });
    });
