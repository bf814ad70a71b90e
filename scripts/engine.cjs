// The engine that a script runs stacks on, as the Automation API takes it.
const { PulumiCommand } = require("@pulumi/pulumi/automation");
const { pickEngine } = require("pulumi-quarterdeck-testing");

/** Picks as `pickEngine` does, says which on standard output, and looks the CLI up once. */
exports.engineOf = async (options = {}) => {
  const { kind, command, root, describe } = pickEngine(process.env, { ...options, print: console.log });
  return { kind, describe, command: command ?? (await PulumiCommand.get(root ? { root } : {})) };
};
