/** The oldest Node version that this package's dependencies support, as in `engines` of package.json. */
const OLDEST_NODE = [22, 19] as const;

/** The error that names the required Node version; undefined if the current version is sufficient. */
export function tooOldNode(): Error | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  const error = new Error(
    `pulumi-quarterdeck needs Node ${OLDEST_NODE.join(".")} or later, but this is ${process.versions.node}: ` +
      "put a newer Node first on the PATH of the Pulumi program",
  );
  // The host prints an error with its stack.
  error.stack = "this Node version is too old";
  return Object.defineProperty(error, "toString", { value: () => "pulumi-quarterdeck", enumerable: false });
}
