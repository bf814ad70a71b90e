/** What is found beside a state, and the program that takes it over. */

const TAKEN = ["tests/discover/takingOver"];
const NAMES = ["tests/discover/names"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const discover = [
  {
    what: "what a service never shows is asked of the configuration",
    find: "const all = new Map([...secrets, ...lacking].map",
    replace: "const all = new Map([...secrets].map",
    tests: TAKEN,
  },
  {
    what: "what is secret and shown is asked of the configuration",
    find: "const all = new Map([...secrets, ...lacking].map",
    replace: "const all = new Map([...lacking].map",
    tests: TAKEN,
  },
  {
    what: "properties of a program stand in the reference's order",
    find: "order.indexOf(one) - order.indexOf(other)",
    replace: "order.indexOf(other) - order.indexOf(one)",
    tests: TAKEN,
  },
  {
    what: "no two objects have one name",
    find: "if (counts.get(level(object)) === 1) names.set",
    replace: "if (counts.get(level(object)) !== undefined) names.set",
    tests: NAMES,
  },
  {
    what: "a name is free only where no earlier one has it",
    find: "for (const name of names.values()) counts.set(name, 1);",
    replace: "",
    tests: NAMES,
  },
];
