/** What a preview asks a service for, and what it makes of the answer. */

const PLANS = ["tests/services/scheduler/jobPlan"];
const BRIDGES = ["tests/core/bridge/forecast"];
const GOING = ["tests/core/bridge/going"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const forecasts = [
  {
    what: "a forecast is asked for only where something is written",
    find: "  if (records && !hasPendingCreate(records) && mainChanges(definition, records, meant).length === 0) return;\n",
    replace: "",
    tests: PLANS,
  },
  {
    what: "what is not known yet is not asked about",
    find: "  if (hasUnknown(meant)) {\n    input.log(",
    replace: "  if (false) {\n    input.log(",
    tests: PLANS,
  },
  {
    what: "a forecast that is not to be had is told once",
    find: "    unforetold?.add(place);\n",
    replace: "",
    tests: PLANS,
  },
  {
    what: "a right that a token lacks in one place says nothing of another",
    find: "const place = error instanceof Forbidden || error instanceof Unauthenticated ? here : everywhere;",
    replace: "const place = everywhere;",
    tests: PLANS,
  },
  {
    what: "a forecast never fails a preview",
    find: "    if (error instanceof Cancelled || unforetold?.has(place)) return;\n",
    replace: "    if (error instanceof Cancelled || unforetold?.has(place)) throw error;\n",
    tests: PLANS,
  },
  {
    what: "a refusal of the very object is told as one",
    find: "return status === 400 || status === 422 || isOwnRefusal(service, answer);",
    replace: "return status === 400 || status === 422;",
    tests: PLANS,
  },
  {
    what: "an index that others moved is told",
    find: "  if (token === undefined || token === index) return [];\n",
    replace: "  if (token !== undefined) return [];\n",
    tests: PLANS,
  },
  {
    what: "a job that is there already is told before a create",
    find: "  if (index === ABSENT) return [];\n  const diff",
    replace: "  if (index !== ABSENT) return [];\n  const diff",
    tests: PLANS,
  },
  {
    what: "counts that a register keeps are told beside a plan",
    find: "const isKept = inputs.preserveCounts === true || floating.has(wordIn(group.Name));",
    replace: "const isKept = false;",
    tests: PLANS,
  },
  {
    what: "the dynamic bridge asks in a preview alone",
    find: "isPreview = isPreviewed(news);",
    replace: "isPreview = true;",
    tests: BRIDGES,
  },
  {
    what: "a replacement is asked about once",
    find: "if (isPreview && replaces.length === 0)\n",
    replace: "if (isPreview)\n",
    tests: BRIDGES,
  },
  {
    what: "an update on the plugin is asked about where it is previewed",
    find: "        await call.steps.forecast(call.input(), inputs, outputs);\n",
    replace: "",
    tests: BRIDGES,
  },
  {
    what: "an object that goes is told where others name it",
    find: "    for (const key of keys) this.#going.set(key, what);\n",
    replace: "",
    tests: GOING,
  },
  {
    what: "what names an object that goes is told, where that is shown first",
    find: "    for (const key of keys) this.#naming.set(key, (this.#naming.get(key) ?? new Set()).add(who));\n",
    replace: "",
    tests: GOING,
  },
  {
    what: "an object that stays is not told to go",
    find: "references === undefined || address === undefined || !changes.some(({ replaces }) => replaces)",
    replace: "references === undefined || address === undefined",
    tests: GOING,
  },
  {
    what: "a job in whose place another one comes may be of another type",
    find: 'const records = step === "update" && replaces.length === 0 ? parseRecords(outputs) : undefined;',
    replace: 'const records = step === "update" ? parseRecords(outputs) : undefined;',
    tests: GOING,
  },
  {
    what: "a job that is left running is not told to be stopped",
    find: "  if (applied.deregisterOnDelete === false)\n    return [`job",
    replace: "  if (applied.deregisterOnDelete === true)\n    return [`job",
    tests: GOING,
  },
];
