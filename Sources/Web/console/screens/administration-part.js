/** The screens of majors, import and export, people, tokens, audit and health, and the dialog of an environment's appearance.
 * They are loaded together on demand. */
import { administration as english } from "../texts/administration.en.js";

export { openAppearance } from "./appearance.js";
export { open as audit } from "./audit-screen.js";
export { open as health } from "./health-screen.js";
export { open as majors } from "./majors-screen.js";
export { open as people } from "./people-screen.js";
export { open as tokens } from "./tokens-screen.js";
export { open as transfer } from "./transfer-screen.js";

/** @param {import("../../shared/texts.js").Texts} texts */
export async function addTexts(texts) {
    texts.add(texts.language === "de" ? (await import("../texts/administration.de.js")).administration : english);
}
