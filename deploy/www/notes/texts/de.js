/** German. */
import { de as frame } from "./frame.de.js";
import { de as list } from "./list.de.js";
import { de as offline } from "./offline.de.js";

/** @type {import("../../shared/texts.js").Table} */
export const de = {
    ...frame,
    ...list,
    ...offline,
};
