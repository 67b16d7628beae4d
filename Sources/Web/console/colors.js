/** The environment's colours on the page. */

/** The colours of an environment without a colour: normal, and one that needs caution. */
const calm = "#56606e";
const warning = "#b3261e";

/** @typedef {{ color: string | null, caution: boolean }} Colored the colours of an environment */

/**
 * Returns the environment's colour, or the colour of an environment without one.
 * @param {Colored | null} environment
 */
export const colorOf = (environment) => environment?.color ?? (environment?.caution ? warning : calm);

/**
 * Frames the page in the environment's colour.
 * @param {Colored | null} environment
 */
export function frameColors(environment) {
    const root = document.documentElement;
    const color = colorOf(environment);
    root.style.setProperty("--environment", color);
    root.style.setProperty("--on-environment", inkOn(color));
    root.classList.toggle("caution", environment?.caution ?? false);
}

/**
 * Returns black or white, whichever has the larger contrast ratio (WCAG 2) on a colour.
 * @param {string} color `#RRGGBB`
 */
function inkOn(color) {
    const [red, green, blue] = [1, 3, 5].map((at) => {
        const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    return (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) ? "#000000" : "#ffffff";
}
