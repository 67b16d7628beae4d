/** German. */
import { de as editor } from "./editor.de.js";
import { de as frame } from "./frame.de.js";
import { de as history } from "./history.de.js";

/** @type {import("../../shared/texts.js").Table} */
export const de = {
    ...editor,
    ...frame,
    ...history,
};
