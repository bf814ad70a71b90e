// One resource of ours without an engine, as the dynamic bridge serves it.
const handler = require("pulumi-quarterdeck/host");

/** The steps of a resource, at a service with these settings. */
exports.openResource = (token, settings) => {
  const resource = handler(token)();
  resource.configure({ config: { get: (key) => JSON.stringify(settings[key.split(":")[1]]) } });
  return resource;
};

/** The outputs of a create as an engine hands them back: the records are marked as secret, where any of them is. */
exports.stateOf = (outs) => ({ ...outs, __quarterdeck: outs.__quarterdeck.value ?? outs.__quarterdeck });
