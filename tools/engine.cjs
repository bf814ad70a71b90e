// The engine for a script's stacks, in the form of the Automation API.
const { PulumiCommand } = require("@pulumi/pulumi/automation");
const { pickEngine } = require("pulumi-quarterdeck-testing");

/** Selects the engine like `pickEngine`, prints the choice on standard output, and locates the CLI once. */
exports.engineOf = async (options = {}) => {
  const { kind, command, root, describe } = pickEngine(process.env, { ...options, print: console.log });
  return { kind, describe, command: command ?? (await PulumiCommand.get(root ? { root } : {})) };
};
