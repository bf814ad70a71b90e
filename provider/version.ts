import { type StackNames, userAgentOf } from "./core/requests/userAgent";

/** The version of this package, for its plugin, its schema and its requests. package.json contains the same version. */
export const VERSION = "0.1.0";

/** The user agent of requests: this package, its Pulumi SDK, project and stack. */
export function userAgent(stack: StackNames = {}): string {
  return userAgentOf([`pulumi-quarterdeck/${VERSION}`, ...sdk()], stack);
}

function sdk(): string[] {
  try {
    const { version } = require("@pulumi/pulumi/version") as typeof import("@pulumi/pulumi/version");
    return [`pulumi-sdk/${version}`];
  } catch {
    // The SDK is a peer dependency of programs; a command may run without it.
    return [];
  }
}
