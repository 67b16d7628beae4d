// Asks for what the address names while the console itself is still on its way; main.js takes the answers. No module:
// it runs as soon as it is there.

const place = /^#\/(?!open\/)([a-z][a-z0-9-]{0,31})(?!\/sign-in)(?:[/?]|$)/.exec(location.hash);
const paths = place ? [`/${place[1]}/config?form=summary`, "/environments"] : [];
const asked = new Map(paths.map((path) => [path, fetch(path, { cache: "no-store" })]));
// Whoever takes an answer is told of its failure.
for (const answer of asked.values()) answer.catch(() => {});
Object.assign(globalThis, { asked });
