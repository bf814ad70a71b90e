/** What is seen of requests from outside: their ids, the log of them, traces, and whose they are. */

const LOG = ["tests/core/http/requestLog"];
const IDS = ["tests/core/http/ids"];
const TRACE = ["tests/core/http/traceContext"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const outside = [
  {
    what: "the log of requests masks what stands in a path",
    find: "    path: redactor.mask(request.path),\n    ...(status",
    replace: "    path: request.path,\n    ...(status",
    tests: LOG,
  },
  {
    what: "the log of requests masks what stands in a resource's name",
    find: "...(object !== undefined && { object: redactor.mask(object) }),",
    replace: "...(object !== undefined && { object }),",
    tests: LOG,
  },
  {
    what: "an id that a service says is masked",
    find: "...(said !== undefined && { service: redactor.mask(said) })",
    replace: "...(said !== undefined && { service: said })",
    tests: LOG,
  },
  {
    what: "a log that cannot be written is told once",
    find: "      isBroken = true;\n      const why = systemCode",
    replace: "      const why = systemCode",
    tests: LOG,
  },
  {
    what: "a try's wait does not count as its answer's time",
    find: "    this.#since = endedAt;",
    replace: "",
    tests: LOG,
  },
  {
    what: "an id of ours that comes back is not told as the service's own",
    find: "|| said === own ||",
    replace: "||",
    tests: IDS,
  },
  {
    what: "an error that quotes another keeps the id of its request",
    find: 'isAdvised ? reason.end : "",',
    replace: '"",',
    tests: IDS,
  },
  {
    what: "the same drift is not told anew because its request had another id",
    find: 'verdict === "in sync" ? "" : withoutIds(JSON.stringify([verdict, fields, when, why, ignored]))',
    replace: 'verdict === "in sync" ? "" : JSON.stringify([verdict, fields, when, why, ignored])',
    tests: ["tests/drift/watchParts"],
  },
  {
    what: "each try is a span of its own",
    find: 'const spanId = randomBytes(8).toString("hex");',
    replace: 'const spanId = "b7ad6b7169203331";',
    tests: TRACE,
  },
  {
    what: "a tracestate that no header can hold is not sent",
    find: "const isSent = state !== undefined && STATE.test(state) &&",
    replace: "const isSent = state !== undefined &&",
    tests: TRACE,
  },
  {
    what: "the trace of an engine's call goes before that of the environment",
    find: "const trace = label.trace ?? this.#trace;",
    replace: "const trace = this.#trace ?? label.trace;",
    tests: TRACE,
  },
  {
    what: "the trace that an engine sends with a call is taken",
    find: 'return traceContext(said("traceparent"), said("tracestate"));',
    replace: "return undefined;",
    tests: ["tests/core/bridge/plugin/traced"],
  },
  {
    what: "an odd name of a stack breaks no header",
    find: "return encodeURIComponent(whole).replace(",
    replace: "return whole.replace(",
    tests: ["tests/core/requests/userAgent"],
  },
];
