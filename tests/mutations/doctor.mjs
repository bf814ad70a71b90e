/** What a doctor finds of tokens, clocks and products. */

const DOCTOR = ["tests/doctor"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const doctor = [
  {
    what: "a token that ends within the hour is something to do",
    find: "return ends - now < SOON_MS ? toDo(",
    replace: "return ends < now ? toDo(",
    tests: DOCTOR,
  },
  {
    what: "a doctor masks what a service quotes",
    find: "const words = mask(text.trim()).slice(0, 200);",
    replace: "const words = text.trim().slice(0, 200);",
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
    find: "const own = resources.filter(({ inputs }) => inputs.connection === name);",
    replace: "const own = resources;",
    tests: DOCTOR,
  },
  {
    what: "a doctor looks at named connections",
    find: "for (const name of [undefined, ...connectionsTo(service, configuration)]) {",
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
    find: "this.#isProduct ||= this.#questions?.isProduct(answer) === true;",
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
    find: "const isNone = status === 404 && isAbsent(answer);",
    replace: "const isNone = status === 404 || status === 403;",
    tests: DOCTOR,
  },
];
