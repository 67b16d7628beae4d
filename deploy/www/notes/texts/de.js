/** German. */
import { de as frame } from "./frame.de.js";

/** @type {import("../../shared/texts.js").Table} */
export const de = {
    ...frame,
};
