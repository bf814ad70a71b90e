import { type StackNames, userAgentOf } from "./core/requests/userAgent";

/** The version of this package, as its plugin, its schema and its requests say it; package.json says the same. */
export const VERSION = "0.1.0";

/** By what requests say whose they are: this package, the engine's SDK that it runs with, project and stack. */
export function userAgent(stack: StackNames = {}): string {
  return userAgentOf([`pulumi-quarterdeck/${VERSION}`, ...sdk()], stack);
}

function sdk(): string[] {
  try {
    const { version } = require("@pulumi/pulumi/version") as typeof import("@pulumi/pulumi/version");
    return [`pulumi-sdk/${version}`];
  } catch {
    // It is a peer, which a program has; a command may run without one.
    return [];
  }
}
