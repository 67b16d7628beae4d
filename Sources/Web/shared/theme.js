/** Light or dark, as a person chose it or as the system has it. */

/**
 * @param {string | null} theme `light`, `dark`, or null for the system's
 */
export function chooseTheme(theme) {
    const root = document.documentElement;
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
}
