/** The sign-in, the page of an invitation and the person's own passkeys. They are loaded together on demand. */
import { access as english } from "../texts/access.en.js";

export { invitationView } from "./invitation.js";
export { openOwnPasskeys } from "./own-passkeys.js";
export { focusFirst, requestSignIn, signInView } from "./sign-in.js";

/** @param {import("../../shared/texts.js").Texts} texts */
export async function addTexts(texts) {
    texts.add(texts.language === "de" ? (await import("../texts/access.de.js")).access : english);
}
