/** Marks in the navigation: the numbers of proposals that wait for the viewer, and of disabled hooks. */

/**
 * Counts both when the stream opens; the proposals also when one changes, and the hooks when their screen has read them.
 * @param {import("./workspace.js").Workspace} workspace
 * @param {() => import("./frame.js").Session | null | undefined} viewer
 * @param {() => void} show called when a number has changed
 */
export function watchWaiting(workspace, viewer, show) {
    const { api, root, closing } = workspace;
    const { signal } = closing;
    const countReviews = async () => {
        const session = viewer();
        if (!session?.scopes.some((scope) => scope.startsWith("config:approve"))) return;
        const query = { state: "open", limit: 100 };
        const [{ stageOf }, { document }] = await Promise.all([
            import("./screens/proposals-part.js"),
            api.get(`${root}/proposals`, { query, signal }),
        ]);
        workspace.waiting = document.filter((/** @type {any} */ one) => stageOf(one, session) === "review").length;
        show();
    };
    const countHooks = async () => {
        if (!viewer()?.scopes.includes("admin")) return;
        /** @type {{ document: import("./state/hooks.js").Hook[] }} */
        const { document } = await api.get(`${root}/hooks`, { signal });
        workspace.disabledHooks = document.filter((hook) => hook.disabled_reason).length;
        show();
    };
    // Without the numbers, the screens still show the proposals and the hooks.
    const reviews = () => countReviews().catch(() => {});
    workspace.addEventListener("proposal", reviews);
    workspace.addEventListener("hooks", show);
    workspace.addEventListener("open", () => {
        reviews();
        countHooks().catch(() => {});
    });
}
