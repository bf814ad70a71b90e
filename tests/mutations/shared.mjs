/** What the reads of a refresh share, and what of a list is believed. */

const ROOMS = ["tests/core/requests/shared"];
const MANY = ["tests/steps/sharedRefreshes"];
const READS = ["tests/steps/sharedReads"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const shared = [
  {
    what: "a read that is alone asks for no list",
    find: 'if (left === "unasked") return asked > 1 ? "page" : "itself";',
    replace: 'if (left === "unasked") return "page";',
    tests: ROOMS,
  },
  {
    what: "all pages are asked for only where they are worth it",
    find: 'return left > 0 && made + left <= 2 * asked ? "rest" : "itself";',
    replace: 'return left > 0 ? "rest" : "itself";',
    tests: ROOMS,
  },
  {
    what: "pages are asked for one by one only as long as whoever waits can be asked for alone",
    find: 'return made + 1 + waiting <= 2 * asked ? "page" : "itself";',
    replace: 'return "page";',
    tests: ROOMS,
  },
  {
    what: "requests for single objects count, too",
    find: '          if (step === "itself") {\n            this.#made += 1;',
    replace: '          if (step === "itself") {',
    tests: ROOMS,
  },
  {
    what: "a list that cannot be read is asked for once",
    find: "        this.#made += 1;\n        this.#left = 0;",
    replace: "        this.#made += 1;\n        if (this.#made > 4) this.#left = 0;",
    tests: ROOMS,
  },
  {
    what: "nobody waits for a list longer than there is time",
    find: "return Promise.race([begun.catch(() => undefined), over]);",
    replace: "void over;\n  return begun.catch(() => undefined);",
    tests: ROOMS,
    only: "no longer than one has time|cancelled",
  },
  {
    what: "a list for which nobody waits ends",
    find: "if (this.#waiting === 0) this.#underWay?.ending.abort();",
    replace: "",
    tests: ROOMS,
  },
  {
    what: "nothing is shared for longer than a minute",
    find: "this.now() - existing.since < OLDEST_MS",
    replace: "this.now() - existing.since >= 0",
    tests: ROOMS,
  },
  {
    what: "a write drops what is shared when it is sent",
    find: "        this.drop(name);\n        try {",
    replace: "        try {",
    tests: ROOMS,
  },
  {
    what: "a write drops what is shared when it has ended",
    find: "        } finally {\n          this.drop(name);\n        }",
    replace: "        } finally {\n        }",
    tests: ROOMS,
  },
  {
    what: "a refusal is shared with nobody",
    find: "return answer !== undefined && isSuccess(answer) ? answer : own();",
    replace: "return answer !== undefined ? answer : own();",
    tests: ROOMS,
  },
  {
    what: "an object that moved by a list's word is asked for itself",
    find: "return equalJson(own, { ...outputsInState(outputs) }) ? { ...back, outputs: own } : undefined;",
    replace: "return back;",
    tests: [...READS, ...MANY],
  },
  {
    what: "an object that a list shows gone is asked for itself",
    find: "return isShown && isNone?.(body, address) !== true;",
    replace: "return isShown;",
    tests: MANY,
    only: "deleted lock",
  },
  {
    what: "a job is unmoved only by all of its indexes",
    find: "const isProven = records.stamp !== undefined && shown.stamp === records.stamp;",
    replace: "const isProven = true;",
    tests: MANY,
  },
  {
    what: "a job whose index moved is asked for itself",
    find: "if (!isProven || shown.token !== records.token) return undefined;",
    replace: "if (!isProven) return undefined;",
    tests: READS,
    only: "scheduler:Job",
  },
  {
    what: "what is open is asked for itself",
    find: "if ([attempted, unread, unfinished].some((open) => open !== undefined)) return undefined;",
    replace: "void [attempted, unread, unfinished];",
    tests: ["tests/steps/sharedRefreshes"],
    only: "partially created",
  },
  {
    what: "a list that the token's rights filter is not believed",
    find: "        isFiltered(dialect, page)\n          ? []",
    replace: "        isFiltered(dialect, page) && elementsIn(page.json).length === 0\n          ? []",
    tests: MANY,
    only: "rights",
  },
  {
    what: "a crowd is refused as often as it takes while others get through",
    find: "return before > 0 && this.#throughBefore > before;",
    replace: "return before > this.#throughBefore;",
    tests: ["tests/core/http/retries"],
    only: "lower than the number",
  },
  {
    what: "a limit that is used up closes the gate",
    find: "gate.closeFor(restOfTime(last, this.shared.settings.runtime.now()));",
    replace: "",
    tests: ["tests/core/http/retries"],
    only: "report as exhausted",
  },
];
