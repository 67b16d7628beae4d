/**
 * Returns a line for each fault in what the page shows: empty lists, hidden values, text that is cut, controls that are
 * too small, labels beside their control, and nested tasks. Styles are read once per element, because reading them costs
 * most of the time.
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
    /**
     * Remembers the result of a function for each element.
     * @template Result
     * @param {(element: Element) => Result} read
     */
    const once = (read) => {
        /** @type {Map<Element, Result>} */
        const known = new Map();
        return (/** @type {Element} */ element) => {
            let result = known.get(element);
            if (result === undefined) {
                result = read(element);
                known.set(element, result);
            }
            return result;
        };
    };
    const isShown = once(
        (element) =>
            element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
            element.getClientRects().length > 0,
    );
    /** @type {(element: Element) => boolean} */
    const isForSpeechOnly = once(
        (element) =>
            element.ariaHidden === "true" ||
            getComputedStyle(element).clipPath === "inset(50%)" ||
            (element.parentElement !== null && isForSpeechOnly(element.parentElement)),
    );
    /**
     * Creates a function that returns the nearest element with such an overflow, from the element itself upwards.
     * @param {RegExp} overflow
     */
    const nearest = (overflow) => {
        /** @type {(element: Element) => Element | null} */
        const find = once((element) => {
            const style = getComputedStyle(element);
            if (overflow.test(style.overflowX)) return element;
            return style.position === "fixed" || !element.parentElement ? null : find(element.parentElement);
        });
        return find;
    };
    const scrollerOf = nearest(/auto|scroll/);
    const cuttingOf = nearest(/hidden|clip/);
    const edgeOf = nearest(/auto|scroll|hidden/);
    const endsInEllipsis = once((element) => {
        const style = getComputedStyle(element);
        return style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
    });

    const page = /** @type {Element} */ (document.scrollingElement);
    const root = document.querySelector(part ?? "body") ?? document.body;
    if (page.scrollWidth > innerWidth) faults.push(`the page scrolls sideways by ${page.scrollWidth - innerWidth} px`);

    for (const list of root.querySelectorAll("ul, ol, tbody, [role=list], [role=grid], [role=treegrid], [role=tree]")) {
        const rows = [
            ...list.querySelectorAll(":scope > li, :scope > tr, [role=row], [role=treeitem], [role=listitem]"),
        ];
        const isHidden = !list.checkVisibility({ visibilityProperty: true }) || isForSpeechOnly(list);
        if (isHidden || (rows.length > 0 && rows.every((row) => !row.checkVisibility()))) continue;
        const edge = (edgeOf(list.parentElement ?? page) ?? page).getBoundingClientRect();
        // A list below the part of the page that is seen is reached by scrolling.
        const isBelow = list.getBoundingClientRect().top > edge.bottom - 16;
        const isSeen = rows.some((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return Math.min(bottom, edge.bottom) - Math.max(top, edge.top) >= 16 || (isBelow && bottom - top >= 16);
        });
        if (!isSeen) faults.push(`none of ${rows.length} rows is seen: ${list.ariaLabel ?? ""} ${name(list)}`);
    }

    const isTouched = matchMedia("(pointer: coarse)").matches;
    const smallest = isTouched ? 44 : 24;
    for (const control of root.querySelectorAll("a[href], button, input, select, textarea, summary, [role=button]")) {
        if (!isShown(control) || isForSpeechOnly(control)) continue;
        const style = getComputedStyle(control);
        // A link may have a part that covers the row or card around it.
        const isSpread = isTouched && getComputedStyle(control, "::after").position === "absolute";
        const target = (isSpread && /** @type {HTMLElement} */ (control).offsetParent) || control;
        const box = target.getBoundingClientRect();
        const label = /** @type {HTMLInputElement} */ (control).labels?.[0]?.getBoundingClientRect() ?? box;
        const others = "[type=color], [type=range], [type=checkbox], [type=radio], [type=file]";
        const isText = control.matches(`select, textarea, input:not(${others})`);
        // Phones zoom into a field with smaller letters.
        if (isTouched && isText && Number.parseFloat(style.fontSize) < 16)
            faults.push(`letters of ${style.fontSize} under touch: ${name(control)}`);
        const isInText = style.display === "inline" || (!isTouched && control.matches("a, summary"));
        const [width, height] = [Math.max(box.width, label.width), Math.max(box.height, label.height)];
        // Sizes of half pixels are rounded.
        if (!isInText && Math.min(width, height) < smallest - 0.5) {
            faults.push(`${Math.round(width)} × ${Math.round(height)} px: ${name(control)}`);
        }
        // A link that skips to the content comes into sight with the focus.
        const isOutside = box.right <= 0 || box.left >= innerWidth || box.bottom + scrollY <= 0;
        if (isOutside && !scrollerOf(control) && !control.matches(".skip"))
            faults.push(`it lies outside the page: ${name(control)}`);
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
        const cutting = cuttingOf(element);
        if (!cutting || endsInEllipsis(cutting)) continue;
        // Scrolling inside of the cutting element reaches the text.
        if (scrollerOf(element) !== scrollerOf(cutting)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const edge = cutting.getBoundingClientRect();
        const isCut = [...range.getClientRects()].some((box) => box.right > edge.right + 1 || box.left < edge.left - 1);
        if (isCut) faults.push(`text is cut: ${name(element)} by ${name(cutting)}`);
    }

    for (const label of root.querySelectorAll("label")) {
        const control = label.querySelector("input[type=checkbox], input[type=radio]");
        const nodes = control?.matches("[type=radio]") ? [...label.children].flatMap((one) => [...one.childNodes]) : [];
        const text = [...label.childNodes, ...nodes].find((node) => node.nodeValue?.trim());
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
