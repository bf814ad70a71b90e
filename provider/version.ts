/** The version of this package, as its plugin, its schema and its requests say it; package.json says the same. */
export const VERSION = "0.1.0";

/** By what requests say whose they are. */
export const USER_AGENT = `pulumi-quarterdeck/${VERSION}`;
