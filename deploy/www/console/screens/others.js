/** The screens that most visits don't open. */
export { open as audit } from "./audit.js";
export { open as compare } from "./compare.js";
export { open as health } from "./health.js";
export { open as majors } from "./majors.js";
export { open as releases } from "./releases.js";
export { open as tokens } from "./tokens.js";
export { open as transfer } from "./transfer.js";
