import { runtime } from "@pulumi/pulumi";

/**
 * The connection between the engine and the provider: the engine's dynamic provider host, which every Node project has, or
 * the plugin of this package.
 */
export type Bridge = "dynamic" | "plugin";

const SETTING = "quarterdeck:bridge";

/**
 * The bridge from the stack's configuration; `dynamic` if it is not set.
 * @throws Error for a different value
 */
export function bridgeOfStack(): Bridge {
  const value = runtime.getConfig(SETTING) ?? "dynamic";
  if (value === "dynamic" || value === "plugin") return value;
  throw new Error(
    `${SETTING} is ${JSON.stringify(value)}, but must be plugin or dynamic: pulumi config set ${SETTING} plugin`,
  );
}

/**
 * Throws unless the stack uses the plugin.
 * @throws Error that names the feature, and how to configure the plugin
 */
export function refuseWithoutPlugin(what: string): void {
  if (bridgeOfStack() === "plugin") return;
  throw new Error(
    `${what} requires the plugin: run npx quarterdeck init, which configures the plugin and sets ${SETTING} to plugin`,
  );
}

/** Options that make the engine load the plugin with the version of this package. */
export function ofThisVersion(): { readonly version: string } {
  // The package requires its own package.json by name, as a program would.
  const { version } = require("pulumi-quarterdeck/package.json") as { version: string };
  return { version };
}
