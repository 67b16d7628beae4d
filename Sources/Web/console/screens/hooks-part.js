/** The screen of hooks, which is loaded on demand. */
import { hooks as english } from "../texts/hooks.en.js";

export { open as hooks } from "./hooks-screen.js";

/** @param {import("../../shared/texts.js").Texts} texts */
export async function addTexts(texts) {
    texts.add(texts.language === "de" ? (await import("../texts/hooks.de.js")).hooks : english);
}
