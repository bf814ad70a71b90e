/** The oldest Node that this package's dependencies run on, as `engines` in package.json says it. */
const OLDEST_NODE = [22, 19] as const;

/** The error that names the Node that is needed; undefined where this one will do. */
export function tooOldNode(): Error | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  const error = new Error(
    `pulumi-quarterdeck needs Node ${OLDEST_NODE.join(".")} or later, and this is ${process.versions.node}: ` +
      "put a newer one first on the PATH of the Pulumi program",
  );
  // The host prints an error with its stack.
  error.stack = "this Node is too old for it";
  return Object.defineProperty(error, "toString", { value: () => "pulumi-quarterdeck", enumerable: false });
}
