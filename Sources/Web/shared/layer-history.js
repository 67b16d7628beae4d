/** A history entry for open layers, so that Back closes the top layer instead of leaving the page. */

const currentAddress = () => (history.state?.isLayer ? location.href : "");

/** The address of the layers' entry while it is the current entry, else empty. */
let layerAddress = "";

/** Adds an entry when a layer opens, unless the current entry is one. */
export function enterLayer() {
    if (!history.state?.isLayer) history.pushState({ isLayer: true }, "");
    layerAddress = currentAddress();
}

/** Replaces the address of the current entry, which stays that of the layers if it is. @param {string} fragment */
export function replaceAddress(fragment) {
    history.replaceState(history.state, "", fragment);
    layerAddress = currentAddress();
}

/**
 * Handles Back in the layers' entry. The entry is skipped if its layers were closed in another way.
 * @param {() => boolean} closeTop closes the top layer; returns false if there is none
 */
export function closeLayersByBack(closeTop) {
    layerAddress = currentAddress();
    addEventListener("popstate", () => {
        const current = currentAddress();
        const isBack = current === "" && location.href === layerAddress;
        layerAddress = current;
        if (!isBack) return;
        // A lower layer may still be open.
        if (closeTop()) enterLayer();
        else history.back();
    });
}
