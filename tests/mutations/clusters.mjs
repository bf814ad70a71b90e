/** Which server of a cluster is asked, and what its answers are worth. */

const PLACES = ["tests/core/requests/inCluster"];
const STANDBY = ["tests/services/secrets/standby"];
const LEADERS = ["tests/steps/leaders"];
const CLUSTER = [...PLACES, ...STANDBY];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const clusters = [
  {
    what: "requests go to the active server",
    find: "      ...(server !== undefined && { server }),\n    });\n  }\n\n  /** What becomes",
    replace: "    });\n  }\n\n  /** What becomes",
    tests: CLUSTER,
  },
  {
    what: "a server that names its states is asked for the latest",
    find: "    const asked = this.#states.length === 0 ? undefined : {",
    replace: "    const asked = this.#states.length >= 0 ? undefined : {",
    tests: CLUSTER,
  },
  {
    what: "the states of a cluster's answers are kept",
    find: "    if (answered) this.#states = state.latest(this.#states, answered);",
    replace: "    if (answered && this.#states.length === 0) this.#states = [answered];",
    tests: CLUSTER,
  },
  {
    what: "an earlier state that comes later changes nothing",
    find: "  if (earlier.some(({ state }) => includes(state, next))) return earlier.map(({ text }) => text);",
    replace: "",
    tests: PLACES,
  },
  {
    what: "a state that says another thing than another stays beside it",
    find: "state.local >= other.local && state.replicated >= other.replicated",
    replace: "state.local >= other.local",
    tests: PLACES,
  },
  {
    what: "who is active is believed for a while",
    find: "now - this.#place.since > BELIEVED_MS",
    replace: "now - this.#place.since > 1000 * BELIEVED_MS",
    tests: PLACES,
  },
  {
    what: "the active server's word is taken at its own address",
    find: "    const isReached = own?.isSelf === true;",
    replace: "    const isReached = own !== undefined;",
    tests: PLACES,
  },
  {
    what: "a token that went over https goes over nothing less",
    find: "  return isSafe(than) && !isSafe(address);",
    replace: "  return isSafe(than) && !isSafe(address) && false;",
    tests: PLACES,
  },
  {
    what: "it is said once",
    find: "    if (this.#warned) return;\n",
    replace: "",
    tests: PLACES,
  },
  {
    what: "what follows a write waits at a server that may be behind",
    find: "    if (whyBehind !== undefined && wait > 0) await runtime.sleep(wait);",
    replace: "",
    tests: PLACES,
  },
  {
    what: "where there was an active server another one is waited for",
    find: "      if (this.#hasReached && !this.#isOver(request, end)) continue;",
    replace: "",
    tests: PLACES,
  },
  {
    what: "a request that did not reach the active server goes to the next one",
    find: "      if (place.server === undefined || !isGone || error.unclear) throw error;",
    replace: "      throw error;",
    tests: PLACES,
  },
  {
    what: "what was handed back is sent on",
    find: "return this.#kept(isHandedBack(answer) ? await this.#sentOn(answer, request) : answer);",
    replace: "return this.#kept(answer);",
    tests: PLACES,
  },
  {
    what: "what was handed back is given up when its operation ends",
    find: "return Math.min(this.options.runtime.now() + TAKEOVER_MS, deadline - LOOK_MS);",
    replace: "return this.options.runtime.now() + TAKEOVER_MS + Math.min(0, deadline);",
    tests: PLACES,
  },
  {
    what: "a redirect of what is no cluster is answered at once",
    find: "        if (place.isAlone) return answer;\n",
    replace: "",
    tests: PLACES,
  },
  {
    what: "nobody is asked for what is cancelled, or too late",
    find: "    if (grace === undefined && this.#isOver(request, deadline)) return this.options.client.send(request);\n",
    replace: "",
    tests: PLACES,
  },
  {
    what: "a request waits while a cluster chooses its leader",
    find: "words.some((one) => one?.test(answer.text)) && runtime.now() < end)",
    replace: "words.some((one) => one?.test(answer.text)) && runtime.now() < 0 * end)",
    tests: LEADERS,
  },
  {
    what: "a read is asked for again where a leader was lost",
    find: "[absent, lost, unready] : [absent];",
    replace: "[absent, unready] : [absent];",
    tests: LEADERS,
  },
  {
    what: "a write that a lost leader had is no refusal",
    find: "  return status >= 500 && FORWARDING.lost.test(text);",
    replace: "  return status >= 600 && FORWARDING.lost.test(text);",
    tests: LEADERS,
  },
];
