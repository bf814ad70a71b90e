/** Where tokens come from, and how long they are used. */
const TOKENS = ["tests/core/requests/tokens.test"];
const LOGINS = ["tests/steps/logins.test"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const tokens = [
  {
    what: "a login is made once for all who wait for it",
    find: "const pending = this.#held ?? this.#kept(this.options.source.get(request));",
    replace: "const pending = this.#kept(this.options.source.get(request));",
    tests: TOKENS,
    only: "made once, for all",
  },
  {
    what: "a token is renewed before it ends",
    find: "if (this.options.runtime.now() < held.renewAt) return held;",
    replace: "if (held.token !== undefined) return held;",
    tests: LOGINS,
  },
  {
    what: "a token that can no longer be renewed for long is made anew in time",
    find: "lasts < this.#lifeMs * WORTH_RENEWING",
    replace: "lasts < 0",
    tests: LOGINS,
    only: "QueueRole",
  },
  {
    what: "a token is made anew where its renewal is refused",
    find: "return (await source.renewed(held, request)) ?? source.get(request);",
    replace: "return (await source.renewed(held, request)) ?? held;",
    tests: TOKENS,
    only: "ended meanwhile",
  },
  {
    what: "a request whose token is refused is sent again with another one",
    find: "    return this.#sentWith(next, request);",
    replace: "    return answer;",
    tests: TOKENS,
    only: "somebody revoked",
  },
  {
    what: "a write whose token is refused is looked after before it goes with another one",
    find: "if (next === undefined || !(await mayBeSentAgain(request))) return answer;",
    replace: "if (next === undefined) return answer;",
    tests: TOKENS,
    only: "has moved meanwhile",
  },
  {
    what: "a token that was just made is not the reason of a refusal",
    find: "return now - since > YOUNG_MS || now >= endsAt;",
    replace: "return now >= since || now >= endsAt;",
    tests: TOKENS,
    only: "a young token",
  },
  {
    what: "a file is read anew where its token is refused",
    find: "  mayHaveAnother(): boolean {\n    return true;",
    replace: "  mayHaveAnother(): boolean {\n    return false;",
    tests: TOKENS,
    only: "is read once, and anew",
  },
  {
    what: "of a login's parameters nothing is quoted",
    find: "const { words } = describeWords(answer, service.words, Object.values(given));",
    replace: "const { words } = describeWords(answer, service.words, []);",
    tests: TOKENS,
    only: "quote its parameters",
  },
  {
    what: "the end of the process ends the tokens that were made",
    find: "if (login.revocation && settings.keep !== true) beforeEnd?.(() => this.revoke());",
    replace: "if (settings.keep === undefined && beforeEnd === undefined) void this.revoke();",
    tests: TOKENS,
    only: "ends the tokens that were made",
  },
  {
    what: "what is to be kept is not ended",
    find: "if (login.revocation && settings.keep !== true) beforeEnd?.(() => this.revoke());",
    replace: "if (login.revocation) beforeEnd?.(() => this.revoke());",
    tests: TOKENS,
    only: "ends none that is to be kept",
  },
  {
    what: "a token with which credentials were handed out is left to its own end",
    find: "    this.#made.delete(token);\n",
    replace: "",
    tests: TOKENS,
    only: "credentials were handed out",
  },
  {
    what: "of several ways to a token the environment adds none to the configuration's",
    find: "if (isTokenSetting(setting) && ours.length > 0 && !renews) continue;",
    replace: "",
    tests: TOKENS,
    only: "one is taken, whole",
  },
  {
    what: "a stored token that is refused says how another one comes in its place",
    find: "return isStored === true && given.token !== undefined && variables.token === undefined;",
    replace: "return isStored === true && given.token === undefined && variables.token === undefined;",
    tests: ["tests/core/bridge/stored"],
  },
  {
    what: "a token of now is not said to be a stored one",
    find: "return isStored === true && given.token !== undefined && variables.token === undefined;",
    replace: "return given.token !== undefined && variables.token === undefined;",
    tests: ["tests/core/bridge/stored"],
  },
  {
    what: "what is not of the token says nothing of a stored one",
    find: 'return kind === "unauthenticated" || kind === "forbidden" ? renewsToken : "";',
    replace: 'return kind !== undefined ? renewsToken : "";',
    tests: ["tests/core/bridge/stored"],
  },
  {
    what: "the dynamic host's configuration is a state's until a program has said it",
    find: "return found.isSaid ? found.said : found.stored;",
    replace: "return found.said;",
    tests: ["tests/core/bridge/stored"],
  },
  {
    what: "a check says that the dynamic host's configuration is the program's",
    find: "return called(news[PROVIDER], { inputs, outputs }, checked, true);",
    replace: "return called(news[PROVIDER], { inputs, outputs }, checked);",
    tests: ["tests/core/bridge/stored"],
  },
];
