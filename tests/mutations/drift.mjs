/** What a look says of a resource, what is passed over of it, and how it is written. */

const VERDICTS = ["tests/steps/verdicts"];
const CHOICE = ["tests/drift/choice"];
const WATCH = ["tests/drift/watch.test", "tests/drift/watchParts"];
const WRITERS = ["tests/drift/writers"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const drift = [
  {
    what: "drift is what an update to the state's inputs would change now",
    find: "const now = { id: held.id, inputs, outputs: found.outputs };",
    replace: "const now = { id: held.id, inputs, outputs };",
    tests: VERDICTS,
  },
  {
    what: "a resource whose last write is not whole says why it drifted",
    find: "...(others.length < changes.length && { why: redactor.mask(whyOpen(outputs)) }),",
    replace: "",
    tests: VERDICTS,
  },
  {
    what: "a time that the state knows already is not told for what moved since",
    find: " || (stamp !== undefined && stamp === current.stamp)",
    replace: "",
    tests: ["tests/steps/verdictTimes"],
  },
  {
    what: "a part with requests of its own did not move when the object was written",
    find: "if (moved.some(isOfOthers) || ",
    replace: "if (",
    tests: ["tests/steps/verdictTimes"],
  },
  {
    what: "a job's time is in nanoseconds",
    find: "new Date(Number(time) / NANOSECONDS_PER_MS)",
    replace: "new Date(Number(time))",
    tests: VERDICTS,
  },
  {
    what: "each state of a resource is told once",
    find: "    this.#told.set(urn, state);\n",
    replace: "",
    tests: WATCH,
  },
  {
    what: "it sees again when nothing fails there any more",
    find: " || known.sources.size > 0) return undefined;",
    replace: ") return undefined;",
    tests: WATCH,
  },
  {
    what: "it is blind since it saw something last",
    find: "`) ?? now;",
    replace: "`) && now;",
    tests: WATCH,
  },
  {
    what: "nothing is looked at twice at once",
    find: "if (this.#underWay.has(each)) continue;",
    replace: "",
    tests: WATCH,
  },
  {
    what: "what moves while it is looked at is looked at once more",
    find: "if (!this.#marked.has(each)) this.#marked.set(each, how);",
    replace: "if (!this.#marked.has(each) && !this.#underWay.has(each)) this.#marked.set(each, how);",
    tests: WATCH,
  },
  {
    what: "a list that fails shows nothing, so that its resources are looked at",
    find: "return !this.#isFailing && this.#shown?.has(item) === true;",
    replace: "return this.#shown?.has(item) === true;",
    tests: WATCH,
  },
  {
    what: "a lost connection is no drift of each resource",
    find: "    if (isPassing) {\n",
    replace: "    if (isPassing && each === undefined) {\n",
    tests: WATCH,
  },
  {
    what: "what was lost sight of is looked at again before it sees",
    find: "for (const other of [each, ...lost]) {",
    replace: "for (const other of [each]) {",
    tests: WATCH,
  },
  {
    what: "what services do not tell is looked at every interval",
    find: "    if (shown === undefined || this.#unseen.has(each)) return true;",
    replace: "    if (shown === undefined) return false;",
    tests: WATCH,
  },
  {
    what: "of a list that proves less than the whole, what proves it is compared",
    find: "return [...unmovedBy, ...(token === undefined ? [] : [token])].map(",
    replace: "return unmovedBy.slice(0, 1).map(",
    tests: WATCH,
  },
  {
    what: "a baseline knows no other value of a field",
    find: "earlier.field === field && earlier.is === is",
    replace: "earlier.field === field",
    tests: CHOICE,
  },
  {
    what: "a baseline knows nothing that is masked",
    find: "!is.includes(MASK) &&",
    replace: "",
    tests: CHOICE,
  },
  {
    what: "an ignore rule names a field up to one of its parts",
    find: "const ends = [...field.matchAll(/[.[]/g)].map(({ index }) => index);",
    replace: "const ends = [...field].map((_, index) => index);",
    tests: CHOICE,
  },
  {
    what: "what drifted in no field is not ignored",
    find: "return fields.length > 0 && fields.every(",
    replace: "return fields.every(",
    tests: [...CHOICE, ...WRITERS],
  },
  {
    what: "XML holds no sign that it cannot hold",
    find: '.replace(/[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ufffe\\uffff]/g, "\\ufffd")',
    replace: "",
    tests: WRITERS,
  },
  {
    what: "a bar in a value ends no cell of a table",
    find: 'const shown = line.replaceAll("|", "\\\\|");',
    replace: "const shown = line;",
    tests: WRITERS,
  },
  {
    what: "who only looks sends nothing but reads",
    find: 'if (request.nature === "read") return connection.send(request);\n      const { method, path } = request;',
    replace:
      'if (request.label.step !== "") return connection.send(request);\n      const { method, path } = request;',
    tests: ["tests/steps/readOnly"],
  },
];
