/** Which server of a cluster is asked, and what its answers are worth. */

const PLACES = ["tests/core/requests/inCluster"];
const STANDBY = ["tests/services/secrets/standby"];
const LEADERS = ["tests/steps/leaders"];
const CLUSTER = [...PLACES, ...STANDBY];
const PRIMARY = ["tests/core/requests/inPrimary"];
const DATACENTERS = ["tests/services/mesh/datacenters"];

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
    what: "a write goes to the next active server only while what it was made from stands",
    find: "      if (!(await mayBeSentAgain(request))) throw error;\n",
    replace: "",
    tests: PLACES,
  },
  {
    what: "what was handed back is sent on only while what it was made from stands",
    find: "if (place.isAlone || !(await mayBeSentAgain(request))) return answer;",
    replace: "if (place.isAlone) return answer;",
    tests: PLACES,
  },
  {
    what: "the client asks before it sends again",
    find: "      if (!(await mayBeSentAgain(this.request))) return this.#result(last);\n",
    replace: "",
    tests: ["tests/core/http/retries"],
  },
  {
    what: "an update that nothing checks is looked after before it is sent again",
    find: "...(isUnchecked && { beforeAgain })",
    replace: "...(isUnchecked && {})",
    tests: LEADERS,
  },
  {
    what: "a create that nothing checks is looked after before it is sent again",
    find: "...(isLookedFor && { beforeAgain })",
    replace: "...(isLookedFor && {})",
    tests: LEADERS,
  },
  {
    what: "a delete that nothing checks is looked after before it is sent again",
    find: "...(!isChecked && { beforeAgain })",
    replace: "...(!isChecked && {})",
    tests: LEADERS,
  },
  {
    what: "what cannot be looked after again is not sent again",
    find: "    if (error instanceof ServiceError) return false;\n    throw error;\n  }\n}\n",
    replace: "    if (error instanceof ServiceError) return true;\n    throw error;\n  }\n}\n",
    tests: [...LEADERS, "tests/core/http/retries"],
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
    find: "if (place.isAlone || !(await",
    replace: "if (!(await",
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
    find: " && leaderless?.lost?.test(answer.text) !== true;",
    replace: ";",
    tests: LEADERS,
  },
  {
    what: "requests go to the primary datacenter",
    find: "[replication.parameter]: place } });",
    replace: "} });",
    tests: [...PRIMARY, ...DATACENTERS],
  },
  {
    what: "a request of a copy goes to the copy",
    find: "    if (request.isOfCopy) return client.send(request);\n",
    replace: "",
    tests: [...PRIMARY, ...DATACENTERS],
  },
  {
    what: "the primary datacenter is asked once",
    find: "    this.#found ??= this.#ask(request);",
    replace: "    this.#found = this.#ask(request);",
    tests: PRIMARY,
  },
  {
    what: "an agent that was not reached is asked again",
    find: "      this.#found = undefined;\n      if (error instanceof ServiceError)",
    replace: "      if (error instanceof ServiceError)",
    tests: PRIMARY,
  },
  {
    what: "a named primary datacenter comes before what is asked",
    find: "    if (named !== undefined || replication.asked.length === 0) return named;",
    replace: "    if (replication.asked.length === 0) return named;",
    tests: PRIMARY,
  },
  {
    what: "a token that may not ask is told what to set",
    find: "      isRefused ||= answer.status === 403;\n",
    replace: "",
    tests: [...PRIMARY, ...DATACENTERS],
  },
  {
    what: "what an agent copies tells the primary datacenter",
    find: '      { path: "/acl/replication", tells: ({ json }) => sourceIn(json) },\n',
    replace: "",
    tests: [...PRIMARY, ...DATACENTERS],
  },
  {
    what: "an agent that copies from nowhere is in the primary datacenter itself",
    find: '  if (memberIn(json, "Enabled") === false) return OWN;\n',
    replace: "",
    tests: [...PRIMARY, ...DATACENTERS],
  },
  {
    what: "a write is waited for in the resource's own datacenter",
    find: "    if (isCopy(context, copy.json, latest)) return;",
    replace: "    if (copy.status !== 418) return;",
    tests: DATACENTERS,
  },
  {
    what: "a copy has indexes of its own",
    find: "  CreateIndex: _,\n  ModifyIndex: __,\n  Status: ___,\n  ...entry\n}: Readonly",
    replace: "  CreateIndex: _,\n  Status: ___,\n  ...entry\n}: Readonly",
    tests: DATACENTERS,
  },
  {
    what: "what nobody copies is not waited for",
    find: "  if (!datacenter || body.Kind === UNCOPIED) return;",
    replace: "  if (!datacenter) return;",
    tests: DATACENTERS,
  },
  {
    what: "what somebody wrote while a copy was waited for is what will show",
    find: "    if (pause === LONGEST_LOOK_MS) latest = (await context.observe(address))?.body;\n",
    replace: "",
    tests: DATACENTERS,
  },
  {
    what: "a copy is waited for a minute at most",
    find: "  const end = Math.min(runtime.now() + COPY_MS, context.deadline);",
    replace: "  const end = Math.min(runtime.now() + 2 * COPY_MS, context.deadline);",
    tests: DATACENTERS,
  },
  {
    what: "an index alone that moved names what may have moved it",
    find: "  if (moved.length === 0 && alsoMovedBy !== undefined) {",
    replace: "  if (moved.length > 0 && alsoMovedBy !== undefined) {",
    tests: DATACENTERS,
  },
];
