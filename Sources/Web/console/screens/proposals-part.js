/** The screen of proposals, which is loaded on demand. */
import { proposals as english } from "../texts/proposals.en.js";

export { stageOf } from "../state/proposals.js";
export { open as proposals } from "./proposals-screen.js";

/** @param {import("../../shared/texts.js").Texts} texts */
export async function addTexts(texts) {
    texts.add(texts.language === "de" ? (await import("../texts/proposals.de.js")).proposals : english);
}
