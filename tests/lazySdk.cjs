// Pulumi's SDK loads the TypeScript compiler and npm's tree of packages wherever it is loaded, for functions that programs
// have serialized. Nothing here does: half of what each of the tests' processes takes to start. So both are loaded when
// something is first asked of them. Node requires this file before the programs and provider hosts that tests start
// (NODE_OPTIONS), and the tests themselves are set up with it; `npm run verify -- installs`, `demo` and a CLI do without.
const { realpathSync } = require("node:fs");
const { join } = require("node:path");

/** The modules, as the SDK finds them. */
const LAZY = ["@pulumi/pulumi/typescript-shim.js", "@npmcli/arborist/lib/index.js"];

/** What stands for a module, and loads it as soon as any of its members is asked for. */
function lazily(load) {
  let loaded;
  const real = () => (loaded ??= load());
  return new Proxy(
    {},
    {
      // Whoever imports it as a module of ES has it as it is.
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

// In a test, Jest's own registry takes the place of Node's, and the set-up does this.
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
