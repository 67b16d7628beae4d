/** German. */
import { screens } from "./screens.de.js";

/** @type {import("../../shared/texts.js").Table} */
export const de = {
    ...screens,
    // Frame
    skip: "Zum Inhalt springen",
};
