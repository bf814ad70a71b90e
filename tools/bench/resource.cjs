// One resource without an engine, as the dynamic bridge serves it.
const { dirname, join } = require("node:path");

const built = join(dirname(require.resolve("pulumi-quarterdeck/package.json")), "dist");

/**
 * The operations of a resource on a server with these settings. Each call loads the package again, as each command of an
 * engine does: the provider remembers what a command wrote.
 */
exports.openResource = (token, settings) => {
  for (const path of Object.keys(require.cache)) if (path.startsWith(built)) delete require.cache[path];
  const resource = require("pulumi-quarterdeck/host")(token)();
  resource.configure({ config: { get: (key) => JSON.stringify(settings[key.split(":")[1]]) } });
  return resource;
};

/** The outputs of a create as an engine passes them back: without the secret mark on the records. */
exports.stateOf = (outs) => ({ ...outs, __quarterdeck: outs.__quarterdeck.value ?? outs.__quarterdeck });
