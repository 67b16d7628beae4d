/** English. */
import { en as frame } from "./frame.en.js";
import { en as list } from "./list.en.js";
import { en as offline } from "./offline.en.js";

/** @type {import("../../shared/texts.js").Table} */
export const en = {
    ...frame,
    ...list,
    ...offline,
};
