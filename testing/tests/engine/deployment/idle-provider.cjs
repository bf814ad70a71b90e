/** A provider of which the only thing that takes time is being asked. */
module.exports = () => ({ create: async ({ __provider, ...inputs }) => ({ id: "idle", outs: inputs }) });
