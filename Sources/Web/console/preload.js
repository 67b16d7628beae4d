// Requests the data of the address while the console still loads; main.js takes the responses. A classic script,
// because a module would run later.

const match = /^#\/(?!open\/)([a-z][a-z0-9-]{0,31})(?!\/sign-in|\/invitation)(?:[/?]|$)/.exec(location.hash);
const paths = match ? [`/${match[1]}/config?form=summary`, "/environments"] : [];
const preloaded = new Map(paths.map((path) => [path, fetch(path, { cache: "no-store" })]));
// The caller that takes a response handles its failure, so silence the unhandled rejection.
for (const answer of preloaded.values()) answer.catch(() => {});
Object.assign(globalThis, { preloaded });
