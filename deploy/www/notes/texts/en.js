/** English. */
import { en as frame } from "./frame.en.js";

/** @type {import("../../shared/texts.js").Table} */
export const en = {
    ...frame,
};
