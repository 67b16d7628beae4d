/** The screens of releases and of comparisons, which are loaded together on demand. */
import { releases as english } from "../texts/releases.en.js";

export { open as compare } from "./compare-screen.js";
export { open as releases } from "./releases-screen.js";

/** @param {import("../../shared/texts.js").Texts} texts */
export async function addTexts(texts) {
    texts.add(texts.language === "de" ? (await import("../texts/releases.de.js")).releases : english);
}
