/** What the plugin says to an engine. */
const PROTOCOL = ["tests/core/bridge/plugin/protocol"];
const DEFINITIONS = ["tests/core/bridge/plugin/definitions"];

export const plugin = [
  {
    what: "what stood marked in a list comes back marked as a whole",
    find: "return formatPath(list < 0 ? path : path.slice(0, list));",
    replace: "return formatPath(path);",
    tests: PROTOCOL,
  },
  {
    what: "what a program marked is marked in answers",
    find: "(path, value) => marked.has(formatPath(path)) || isKept(path, value)",
    replace: "(path, value) => isKept(path, value)",
    tests: PROTOCOL,
  },
  {
    what: "what a definition keeps secret is marked in answers",
    find: "(path, value) => marked.has(formatPath(path)) || isKept(path, value)",
    replace: "(path) => marked.has(formatPath(path))",
    tests: PROTOCOL,
  },
  {
    what: "an import prints nothing secret",
    find: "const now = isOnRecord ? inState : shownInputs(this.definition, inState);",
    replace: "const now = inState;",
    tests: DEFINITIONS,
    only: "InlineCertificate",
  },
  {
    what: "an import of what is never shown is no failure",
    find: "if (!isAsRead(olds.bag, news.bag)) return checked;",
    replace: "if (isAsRead(olds.bag, news.bag)) return checked;",
    tests: DEFINITIONS,
    only: "import",
  },
  {
    what: "a refresh hands back the inputs that still hold",
    find: "const inState = found.inputs ? withAsideProperty(found.inputs) : old.bag;",
    replace: "const inState = found.inputs ? withAsideProperty(found.inputs) : {};",
    tests: DEFINITIONS,
    only: "goes on",
  },
  {
    what: "a preview sends nothing",
    find: "    if (request.getPreview()) {\n      const planned = await this.#called({ inputs: news.values }",
    replace:
      "    if (request.getPreview() && news === undefined) {\n      const planned = await this.#called({ inputs: news.values }",
    tests: PROTOCOL,
    only: "changes nothing",
  },
  {
    what: "an update keeps its object where it is in a preview",
    find: "if (records !== undefined && records.address[name] !== undefined) return records.address[name];",
    replace: "",
    tests: ["tests/steps/plan", ...PROTOCOL],
    only: "cannot move|stays where it is",
  },
  {
    what: "the engine's own time limit holds",
    find: "return seconds > 0 ? { timeout: seconds * 1000 } : {};",
    replace: "return seconds < 0 ? { timeout: seconds * 1000 } : {};",
    tests: PROTOCOL,
    only: "when the time is over",
  },
  {
    what: "a cancel ends what runs",
    find: "for (const controller of this.#running) controller.abort();",
    replace: "",
    tests: PROTOCOL,
    only: "cancel",
  },
  {
    what: "lines are shown before the answer",
    find: "await this.#log?.flushed();",
    replace: "",
    tests: PROTOCOL,
    only: "is shown at its resource",
  },
  {
    what: "a state's configuration gives way to the environment",
    find: "if (given[setting] === undefined || configuration.isStored) given[setting] = fallback;",
    replace: "if (given[setting] === undefined) given[setting] = fallback;",
    tests: PROTOCOL,
    only: "gives way",
  },
  {
    what: "what a program says of its configuration goes before the environment",
    find: "const isStored = !this.#wasChecked && !isGiven;",
    replace: "const isStored = true;",
    tests: PROTOCOL,
    only: "gives way",
  },
  {
    what: "numbers of a configuration may be text",
    find: "return [name, isNumber ? Number(value) : value];",
    replace: "return [name, value];",
    tests: PROTOCOL,
    only: "numbers as text",
  },
  {
    what: "functions that make something are not called in a preview",
    find: "if (request.getPreview() && isForUp) {",
    replace: "if (request.getPreview() && !isForUp) {",
    tests: PROTOCOL,
    only: "a function",
  },
];
