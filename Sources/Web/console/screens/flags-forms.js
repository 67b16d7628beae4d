/** The forms of flags: one flag, a new flag, and the audiences. The list of flags loads them on demand. */
export { audiences } from "./flags-audiences.js";
export { detail } from "./flags-detail.js";
export { openFlagDialog } from "./flags-new.js";
