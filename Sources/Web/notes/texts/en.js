/** English. */
import { common } from "../../shared/texts.en.js";
import { en as editor } from "./editor.en.js";
import { en as files } from "./files.en.js";
import { en as frame } from "./frame.en.js";
import { en as history } from "./history.en.js";
import { en as list } from "./list.en.js";
import { en as move } from "./move.en.js";
import { en as offline } from "./offline.en.js";

/** @type {import("../../shared/texts.js").Table} */
export const en = {
    ...common,
    ...editor,
    ...files,
    ...frame,
    ...history,
    ...list,
    ...move,
    ...offline,
};
