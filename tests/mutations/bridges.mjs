/** What leads a program to either bridge: the SDK's runtime, `quarterdeck init`, and lists that go on. */
const SWITCH = ["tests/sdk/bridge"];
const PROJECT = ["tests/command/projectFile"];
const LIST = ["tests/core/bridge/plugin/list"];
const TABLES = ["tests/core/state/tables"];

/** Whatever goes wrong, an engine hears of it what the steps say. */
const FAULTS = ["tests/faults/bridges"];

export const bridges = [
  {
    what: "an engine keeps by the plugin what a step has made in part",
    find: "  detail.setProperties(properties);\n",
    replace: "",
    tests: FAULTS,
    only: "plugin .*scheduler:Job",
  },
  {
    what: "an engine keeps by the dynamic host what a step has made in part",
    find: "const properties = { ...outgoing(error.outputs), [PROVIDER]: provider };",
    replace: "const properties = { [PROVIDER]: provider };",
    tests: FAULTS,
    only: "dynamic .*scheduler:Job",
  },
  {
    what: "a stack that says nothing is on the dynamic bridge",
    find: 'runtime.getConfig(SETTING) ?? "dynamic"',
    replace: 'runtime.getConfig(SETTING) ?? "plugin"',
    tests: SWITCH,
  },
  {
    what: "another bridge than the two is an error",
    find: 'if (value === "dynamic" || value === "plugin") return value;',
    replace: "if (value !== undefined) return value as Bridge;",
    tests: SWITCH,
  },
  {
    what: "what only the plugin can do is refused by name on the other bridge",
    find: 'if (bridgeOfStack() === "plugin") return;',
    replace: "if (bridgeOfStack() !== undefined) return;",
    tests: SWITCH,
  },
  {
    what: "a resource is found under its type on the other bridge",
    find: 'typeOn(bridge === "plugin" ? "dynamic" : "plugin", kind.token)',
    replace: "typeOn(bridge, kind.token)",
    tests: SWITCH,
  },
  {
    what: "the engine takes the plugin of the package's version",
    find: "options: ofThisVersion() };",
    replace: "options: {} };",
    tests: SWITCH,
  },
  {
    what: "a resource is recognised whichever bridge made it",
    find: 'return type === typeOn("dynamic", token) || type === typeOn("plugin", token);',
    replace: "return type === typeOn(bridgeOfStack(), token);",
    tests: SWITCH,
  },
  {
    what: "a provider of another package is none of ours",
    find: 'return engineTypeOf(value) === "pulumi:providers:quarterdeck";',
    replace: 'return String(engineTypeOf(value)).startsWith("pulumi:providers:");',
    tests: SWITCH,
  },
  {
    what: "a secret property is marked on its way to the plugin",
    find: "if (kind.secrets.includes(property)) return [property, pulumi.secret(value)];",
    replace: "",
    tests: SWITCH,
  },
  {
    what: "a secret member of a document is marked on its way to the plugin",
    find: "names === undefined ? value : protect(value, names)",
    replace: "value",
    tests: SWITCH,
  },
  {
    what: "a preview of the dynamic bridge knows the outputs that an id says",
    find: 'if (!runtime.isDryRun() || bridgeOfStack() === "plugin") return;',
    replace: "if (runtime.isDryRun()) return;",
    tests: SWITCH,
  },
  {
    what: "an output that an id says is found behind a named connection",
    find: '.replace(/^[^:/]*:/, "")',
    replace: "",
    tests: SWITCH,
  },
  {
    what: "an output that an id says is as it was before it was put into the id",
    find: 'text === undefined || text === "" ? undefined : decodeURIComponent(text)',
    replace: 'text === undefined || text === "" ? undefined : text',
    tests: SWITCH,
  },
  {
    what: "what leads the dynamic host to its provider stays in a state",
    find: "text === undefined ? outputs : { ...outputs, [PROVIDER]: text }",
    replace: "outputs",
    tests: ["tests/core/bridge/plugin/definitions"],
    only: "secrets:QueueRole.*finds the same changes",
  },
  {
    what: "a copy of what a program marks is secret in an output of another name",
    find: "isKept(path, value) || isCopy(path, value)",
    replace: "isKept(path, value)",
    tests: ["tests/core/bridge/plugin/canaries"],
    only: "CloudRole",
  },
  {
    what: "an element of others is not told by its own text where that is marked",
    find: "return isKey && isSecretKey(path.slice(0, index + 1)) ?",
    replace: "return isKey && isSecretKey([]) ?",
    tests: TABLES,
    only: "that others added to a list",
  },
  {
    what: "a place in an element of others is secret like the one that is marked",
    find: "isLikeMarked(markedPaths(inputs), own)",
    replace: "false",
    tests: TABLES,
    only: "that others added to a list",
  },
  {
    what: "a key is no secret for what is marked deep inside its element",
    find: "mark.length <= path.length + 1 && isLike(mark, path)",
    replace: "isLike(mark, path)",
    tests: TABLES,
    only: "that others added to a list",
  },
  {
    what: "a bridge that somebody chose in Pulumi.yaml is left alone",
    find: 'if (value === "plugin") return { lines, done: [] };',
    replace: "if (value !== undefined) return { lines, done: [] };",
    tests: PROJECT,
  },
  {
    what: "packages that name quarterdeck are for other languages",
    find: "  refuseGenerated(lines);\n",
    replace: "",
    tests: PROJECT,
  },
  {
    what: "a version of the plugin in Pulumi.yaml is left to a person",
    find: "if (version !== undefined) throw new Unreadable",
    replace: 'if (version === "") throw new Unreadable',
    tests: PROJECT,
  },
  {
    what: "another path of the plugin in Pulumi.yaml is left to a person",
    find: 'there.replace(/^\\.\\//, "") !== path)',
    replace: 'there === "")',
    tests: PROJECT,
  },
  {
    what: "the lines of Pulumi.yaml end as they did",
    find: 'end: text.includes("\\r\\n") ? "\\r\\n" : "\\n",',
    replace: 'end: "\\n",',
    tests: PROJECT,
  },
  {
    what: "a continuation of another form is none of ours",
    find: '[at, after].every((text) => text === undefined || typeof text === "string")',
    replace: "true",
    tests: LIST,
    only: "rejects a continuation token",
  },
  {
    what: "a page has a hundred objects where nobody says how many",
    find: "const PAGE_SIZE = 100;",
    replace: "const PAGE_SIZE = 1000;",
    tests: LIST,
    only: "100 ids per page",
  },
  {
    what: "a list waits where what is asked is not known yet",
    find: "const query = written(definition, received(request.getQuery()));\n  if (hasUnknown(query)) {",
    replace: "const query = written(definition, received(request.getQuery()));\n  if (query === undefined) {",
    tests: LIST,
    only: "unknown value",
  },
  {
    what: "a list goes on in whichever order an engine says what it asks",
    find: "Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1))",
    replace: "Object.entries(args)",
    tests: LIST,
    only: "another order",
  },
];
