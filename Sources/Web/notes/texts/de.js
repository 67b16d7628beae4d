/** German. */
import { common } from "../../shared/texts.de.js";
import { de as editor } from "./editor.de.js";
import { de as files } from "./files.de.js";
import { de as frame } from "./frame.de.js";
import { de as history } from "./history.de.js";
import { de as list } from "./list.de.js";
import { de as move } from "./move.de.js";
import { de as offline } from "./offline.de.js";

/** @type {import("../../shared/texts.js").Table} */
export const de = {
    ...common,
    ...editor,
    ...files,
    ...frame,
    ...history,
    ...list,
    ...move,
    ...offline,
};
