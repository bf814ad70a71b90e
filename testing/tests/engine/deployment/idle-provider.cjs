/** A provider that does nothing, so that only the calls take time. */
module.exports = () => ({ create: async ({ __provider, ...inputs }) => ({ id: "idle", outs: inputs }) });
