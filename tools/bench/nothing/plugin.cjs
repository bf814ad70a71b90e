// A provider plugin that does nothing, over what the engine's SDK offers for plugins: what an engine, a plugin's process
// and the protocol between them cost by themselves.
const { main } = require("@pulumi/pulumi/provider");
const nothing = require("./dynamic.cjs")();

const plugin = {
  version: "1.0.0",
  check: async (_urn, olds, news) => nothing.check(olds, news),
  diff: async () => nothing.diff(),
  create: async (_urn, inputs) => nothing.create(inputs),
  read: async (id, _urn, props) => nothing.read(id, props),
  update: async (_id, _urn, olds, news) => nothing.update(_id, olds, news),
  delete: async () => nothing.delete(),
};

main(plugin, process.argv.slice(2));
