/** What a token needs, and that an error says it. */

const RIGHTS = {
  tests: ["tests/steps/rights"],
  only: "scheduler:Job|mesh:ServiceDefaults|workspaces:Workspace |secrets:QueueRole",
};

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const rights = [
  {
    what: "the table of rights says all that a parse needs",
    find: 'needs: [onNamespace("namespace:parse-job"), onNamespace("namespace:submit-job")],',
    replace: 'needs: [onNamespace("namespace:submit-job")],',
    ...RIGHTS,
  },
  {
    what: "the table of rights asks for no more than a request needs",
    find: '{ methods: ["DELETE"], path: "/**", needs: [{ anyOf: ["delete"], on: ON }] },',
    replace:
      '{ methods: ["DELETE"], path: "/**", needs: [{ anyOf: ["delete"], on: ON }, { anyOf: ["sudo"], on: ON }] },',
    ...RIGHTS,
  },
  {
    what: "the table of rights says that taking an account back by force needs more than a write",
    find: '{ anyOf: ["sudo"], on: "the path {1}/library/manage/{2}/check-in" },',
    replace: "",
    tests: ["tests/steps/rights"],
    only: "secrets:LibraryCheckOut",
  },
  {
    what: "the table of rights says what a list of entries shows",
    find: "needs: read.map(onEach) },",
    replace: "needs: [] },",
    tests: ["tests/steps/functionRights"],
    only: "mesh:getConfigEntries",
  },
  {
    what: "a refusal names the right that its request needs",
    find: 'const mayBeMissing = kind === "forbidden" ||',
    replace: "const mayBeMissing =",
    ...RIGHTS,
  },
  {
    what: "a 404 that may hide names the right that its request needs",
    find: '(kind === "notFound" && hides === true);',
    replace: "false;",
    ...RIGHTS,
  },
  {
    what: "a write whose path does not name what it writes is known by that",
    find: "const path = filledPath(route.rightsAt ?? route.path, address, connection);",
    replace: "const path = filledPath(route.path, address, connection);",
    ...RIGHTS,
  },
];
