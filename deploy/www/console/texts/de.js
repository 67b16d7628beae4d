/** German. */
/** @type {import("../../shared/texts.js").Table} */
export const de = {
    // Frame
    skip: "Zum Inhalt springen",
};
