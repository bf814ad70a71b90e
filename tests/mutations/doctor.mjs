/** What a doctor finds of tokens, clocks and products. */

const DOCTOR = ["tests/doctor"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const doctor = [
  {
    what: "a token that expires within the hour is a warning",
    find: "return ends - now < SOON_MS ?",
    replace: "return ends < now ?",
    tests: DOCTOR,
  },
  {
    what: "a doctor masks what a service quotes",
    find: 'mask(text.replaceAll(/\\s+/g, " ").trim()).slice(0, 200)',
    replace: "text.trim().slice(0, 200)",
    tests: DOCTOR,
  },
  {
    what: "a doctor finds a right that lacks",
    find: 'return !["root", ...anyOf].some((right) => has.includes(right));',
    replace: "return has.length === 0;",
    tests: DOCTOR,
  },
  {
    what: "a doctor asks for rights in the namespace of the resource",
    find: "...(rights[0] && { headers: rights[0].realm }),",
    replace: "",
    tests: DOCTOR,
  },
  {
    what: "a doctor asks for the rights of the resources that go by the connection",
    find: "const own = resources?.filter(({ inputs }) => inputs.connection === name);",
    replace: "const own = resources;",
    tests: DOCTOR,
  },
  {
    what: "a doctor looks at named connections",
    find: "for (const name of [undefined, ...connectionsTo(service, checked.configuration)]) {",
    replace: "for (const name of [undefined]) {",
    tests: DOCTOR,
  },
  {
    what: "a clock behind ours is not ahead of it",
    find: 'apart > 0 ? "ahead of" : "behind"',
    replace: 'apart < 0 ? "ahead of" : "behind"',
    tests: DOCTOR,
  },
  {
    what: "a doctor says it where the dialect is not the product's",
    find: "(!this.#isReal && this.#answers.some(this.questions.isProduct)) ||",
    replace: "",
    tests: DOCTOR,
  },
  {
    what: "a sealed server is something to do",
    find: "if (sealed === true) return",
    replace: "if (sealed === undefined) return",
    tests: DOCTOR,
  },
  {
    what: "an absent list of the secrets service is an empty one only without errors",
    find: "const isNone = answer.status === 404 && isAbsent(answer);\n    if",
    replace: "const isNone = answer.status === 404 || answer.status === 403;\n    if",
    tests: DOCTOR,
  },
  {
    what: "a closer namespace rule of a Nomad policy goes before a wider one",
    find: "const closest = Math.min(...fitting.map(({ name }) => distance(name, namespace)));",
    replace: "const closest = Math.max(...fitting.map(({ name }) => distance(name, namespace)));",
    tests: DOCTOR,
  },
  {
    what: "a server without token lookup is skipped",
    find: "if (isNotOffered(answer)) return NO_LOOKUP;\n      if (answer.status !== 200) return rejectedToken(answer, circumstances, advice(answer));",
    replace: "if (answer.status !== 200) return rejectedToken(answer, circumstances, advice(answer));",
    tests: DOCTOR,
  },
  {
    what: "another product is told apart by what it answers",
    find: "if (this.#isReal && this.questions.isIdentity(answer) === false)",
    replace: "if (this.#isReal && this.questions.isIdentity(answer) === undefined)",
    tests: DOCTOR,
  },
  {
    what: "a resource that is only read is no second record",
    find: 'return resource.isExternal || resource.id === ""',
    replace: 'return resource.id === ""',
    tests: DOCTOR,
  },
  {
    what: "a variable with the value that is used is not reported",
    find: "!isUsedAnyway(setting, name),",
    replace: "true,",
    tests: DOCTOR,
  },
];
