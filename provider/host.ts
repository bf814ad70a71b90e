import type { DynamicHandler } from "./core/bridge/handler";

/** The oldest Node that this package's dependencies run on, as `engines` in package.json says it. */
const OLDEST_NODE = [22, 19] as const;

/**
 * What the text in a state calls: `require("pulumi-quarterdeck/host")("scheduler:Job")`. States hold that text
 * for ever, so this entry and its form stay as they are.
 * @throws Error on a Node that is too old, before anything is loaded that would fail with words of its own.
 */
export = (token: string): (() => DynamicHandler) => {
  refuseOldNode();
  const { handler } = require("./index") as typeof import("./index");
  const own = handler(token);
  return () => own;
};

function refuseOldNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(
    `pulumi-quarterdeck needs Node ${OLDEST_NODE.join(".")} or later, and this is ${process.versions.node}: ` +
      "put a newer one first on the PATH of the Pulumi program",
  );
}
