import { runtime } from "@pulumi/pulumi";

/**
 * The ways from an engine to the provider: its host of dynamic providers, which it has in every Node project, or the plugin
 * of this package.
 */
export type Bridge = "dynamic" | "plugin";

const SETTING = "quarterdeck:bridge";

/**
 * The way that the configuration of this stack says; dynamic where it says nothing.
 * @throws Error for another value
 */
export function bridgeOfStack(): Bridge {
  const value = runtime.getConfig(SETTING) ?? "dynamic";
  if (value === "dynamic" || value === "plugin") return value;
  throw new Error(
    `${SETTING} is ${JSON.stringify(value)}; it is plugin or dynamic: pulumi config set ${SETTING} plugin`,
  );
}

/**
 * Refuses what only the plugin can do.
 * @throws Error naming it, and how a stack gets the plugin
 */
export function refuseWithoutPlugin(what: string): void {
  if (bridgeOfStack() === "plugin") return;
  throw new Error(
    `${what} is possible with the plugin only; npx quarterdeck init sets it up, and ${SETTING} to plugin`,
  );
}

/** What tells the engine to take the plugin of the version that this package is of. */
export function ofThisVersion(): { readonly version: string } {
  // The package finds its own description by name, as a program would.
  const { version } = require("pulumi-quarterdeck/package.json") as { version: string };
  return { version };
}
