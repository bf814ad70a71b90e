// A dynamic provider that does nothing: what an engine, its host and the protocol between them cost by themselves.
module.exports = () => ({
  check: async (_olds, inputs) => ({ inputs, failures: [] }),
  diff: async () => ({ changes: false }),
  create: async (inputs) => ({
    id: String(inputs.name ?? inputs.methodName ?? inputs.json.ID),
    outs: inputs,
  }),
  read: async (id, props) => ({ id, props }),
  update: async (_id, _olds, news) => ({ outs: news }),
  delete: async () => undefined,
});
