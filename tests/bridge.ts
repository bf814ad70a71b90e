/**
 * The way from the engine to the provider, which is the environment's to choose for a whole run of stacks: as a user does,
 * by a setting of the stack or its project, and for the plugin by its place in Pulumi.yaml.
 */
export const BY_PLUGIN = process.env.QUARTERDECK_BRIDGE === "plugin";

/** Whether more is tried than in a run of the tests: in `npm run verify -- stacks`, and wherever the CLI is asked. */
export const IN_STACKS = process.env.QUARTERDECK_STACKS === "all" || process.env.PULUMI_ENGINE === "cli";
