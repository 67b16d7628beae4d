/**
 * Returns a line for each fault in what the page shows: empty lists, hidden values, text that is cut, controls that are
 * too small, labels beside their control, and nested tasks.
 *
 * @param {string | undefined} part a selector of the part of the page to look at
 * @returns {string[]}
 */
(part) => {
    /** @type {string[]} */
    const faults = [];
    /** @param {Element} element */
    const name = (element) => {
        const text = element.ariaLabel ?? /** @type {HTMLElement} */ (element).innerText ?? "";
        const classes = [...element.classList].map((one) => `.${one}`).join("");
        return `${element.tagName.toLowerCase()}${classes} "${text.trim().replaceAll("\n", " ").slice(0, 40)}"`;
    };
    /** @param {Element} element */
    const isShown = (element) =>
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        element.getClientRects().length > 0;
    /** @param {Element} element */
    const isForSpeechOnly = (element) => {
        for (let one = /** @type {Element | null} */ (element); one; one = one.parentElement) {
            if (one.ariaHidden === "true" || getComputedStyle(one).clipPath === "inset(50%)") return true;
        }
        return false;
    };
    /** @param {Element | null} element @param {RegExp} overflow @returns {Element | null} the nearest one that cuts */
    const clip = (element, overflow) => {
        for (let one = element; one; one = one.parentElement) {
            const style = getComputedStyle(one);
            if (overflow.test(style.overflowX)) return one;
            if (style.position === "fixed") return null;
        }
        return null;
    };

    const page = /** @type {Element} */ (document.scrollingElement);
    const root = document.querySelector(part ?? "body") ?? document.body;
    if (page.scrollWidth > innerWidth) faults.push(`the page scrolls sideways by ${page.scrollWidth - innerWidth} px`);

    for (const list of root.querySelectorAll("ul, ol, tbody, [role=list], [role=grid], [role=treegrid], [role=tree]")) {
        const rows = [
            ...list.querySelectorAll(":scope > li, :scope > tr, [role=row], [role=treeitem], [role=listitem]"),
        ];
        const isHidden = !list.checkVisibility({ visibilityProperty: true }) || isForSpeechOnly(list);
        if (isHidden || (rows.length > 0 && rows.every((row) => !row.checkVisibility()))) continue;
        const edge = (clip(list.parentElement, /auto|scroll|hidden/) ?? page).getBoundingClientRect();
        // A list below the part of the page that is seen is reached by scrolling.
        const isBelow = list.getBoundingClientRect().top > edge.bottom - 16;
        const isSeen = rows.some((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return Math.min(bottom, edge.bottom) - Math.max(top, edge.top) >= 16 || (isBelow && bottom - top >= 16);
        });
        if (!isSeen) faults.push(`none of ${rows.length} rows is seen: ${list.ariaLabel ?? ""} ${name(list)}`);
    }

    for (const control of root.querySelectorAll("a[href], button, input, select, textarea, summary, [role=button]")) {
        if (!isShown(control) || isForSpeechOnly(control)) continue;
        const box = control.getBoundingClientRect();
        const isInText = control.matches("a, summary") || getComputedStyle(control).display === "inline";
        const label = /** @type {HTMLInputElement} */ (control).labels?.[0];
        const target = label?.getBoundingClientRect() ?? box;
        if (!isInText && (Math.max(box.height, target.height) < 24 || Math.max(box.width, target.width) < 24)) {
            faults.push(`${Math.round(box.width)} × ${Math.round(box.height)} px: ${name(control)}`);
        }
        // A link that skips to the content comes into sight with the focus.
        const isOutside = box.right <= 0 || box.left >= innerWidth || box.bottom + scrollY <= 0;
        const isReached = clip(control, /auto|scroll/) !== null || control.matches(".skip");
        if (isOutside && !isReached) faults.push(`it lies outside the page: ${name(control)}`);
    }

    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll("input, textarea"))) {
        if (field.matches("[type=hidden], [type=file], [type=checkbox], [type=radio]") || !field.value) continue;
        const parent = /** @type {Element} */ (field.parentElement);
        if (!field.hidden && !isShown(field) && isShown(parent)) faults.push(`its value is invisible: ${name(field)}`);
    }

    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const element = text.parentElement;
        if (!element || !text.nodeValue?.trim() || !isShown(element) || isForSpeechOnly(element)) continue;
        if (element.closest("textarea, .cm-editor, option")) continue;
        const cutting = clip(element, /hidden|clip/);
        if (!cutting) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const edge = cutting.getBoundingClientRect();
        const isCut = [...range.getClientRects()].some((box) => box.right > edge.right + 1 || box.left < edge.left - 1);
        const style = getComputedStyle(cutting);
        const ends = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
        // Scrolling inside of the cutting element reaches the text.
        const isReached = clip(element, /auto|scroll/) !== clip(cutting, /auto|scroll/);
        if (isCut && !ends && !isReached) faults.push(`text is cut: ${name(element)} by ${name(cutting)}`);
    }

    for (const label of root.querySelectorAll("label")) {
        const control = label.querySelector("input[type=checkbox], input[type=radio]");
        const text = [...label.childNodes].find((node) => node.nodeValue?.trim());
        if (!control || !text || !isShown(label)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const [line] = range.getClientRects();
        const box = control.getBoundingClientRect();
        if (!line || box.width < 2) continue;
        const difference = Math.abs(line.top + line.height / 2 - (box.top + box.height / 2));
        if (difference > 2) faults.push(`label and control differ by ${difference.toFixed(1)} px: ${name(label)}`);
    }

    for (const task of root.querySelectorAll("li.task li.task")) {
        const parent = /** @type {Element} */ (task.parentElement?.closest("li.task"));
        const [inner, outer] = [task, parent].map(
            (one) => one.querySelector("input")?.getBoundingClientRect().left ?? 0,
        );
        if (inner < outer + 8) faults.push(`a nested task stands no further in: ${name(task)}`);
    }
    return faults;
};
