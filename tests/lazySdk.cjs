// Loads the TypeScript compiler and npm's package tree only when code uses them. Pulumi's SDK loads both at its start, to serialize
// functions, which no test does: half of the start time of each process. Node requires this file (NODE_OPTIONS) before the programs
// and provider hosts that tests start, and the setup of the tests uses it. `npm run verify -- installs`, `demo` and a real CLI do not.
const { realpathSync } = require("node:fs");
const { join } = require("node:path");

/** The modules, as the SDK finds them. */
const LAZY = ["@pulumi/pulumi/typescript-shim.js", "@npmcli/arborist/lib/index.js"];

/** A substitute for a module, which loads the module at the first access to a member. */
function lazily(load) {
  let loaded;
  const real = () => (loaded ??= load());
  return new Proxy(
    {},
    {
      // For an import of an ES module.
      get: (_, name) => (name === "__esModule" ? true : name === "default" ? real() : real()[name]),
      has: (_, name) => name in real(),
      ownKeys: () => Reflect.ownKeys(real()),
      getOwnPropertyDescriptor: (_, name) => {
        const found = Reflect.getOwnPropertyDescriptor(real(), name);
        return found && { ...found, configurable: true };
      },
    },
  );
}

module.exports = { LAZY, lazily };

// In a test, the setup does this, because Jest has its own module registry.
if (typeof jest === "undefined") {
  for (const name of LAZY) {
    const id = realpathSync(join(__dirname, "../node_modules", name));
    const load = () => {
      delete require.cache[id];
      return require(id);
    };
    require.cache[id] = { id, filename: id, loaded: true, children: [], paths: [], exports: lazily(load) };
  }
}
