/** Realms: the region of a job, and what an id says of it. */

const REGIONS = ["tests/steps/regions"];
const IDS = ["tests/core/language/id"];
const HERE = ["tests/discover/regions"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const realms = [
  {
    what: "an id says a realm that is not the connection's",
    find: 'isSaid && typeof realm === "string" ? realm : undefined);',
    replace: "isSaid ? undefined : undefined);",
    tests: REGIONS,
  },
  {
    what: "an id says no realm that is the connection's",
    find: "const isSaid = name !== undefined && realm !== where.defaults?.[name]?.of(connection);",
    replace: "const isSaid = name !== undefined;",
    tests: REGIONS,
  },
  {
    what: "an id on record stays what it is",
    find: "const said = realm === undefined ? undefined : where.id.parse(before)?.address[realm];",
    replace: "const said = realm === undefined ? undefined : where.id.parse(before) && address[realm];",
    tests: REGIONS,
  },
  {
    what: "what an id does not say of its realm is the connection's",
    find: "if (realm !== undefined && said === undefined) omitted.push(realm);",
    replace: "",
    tests: [...REGIONS, ...IDS],
  },
  {
    what: "a realm in an id is encoded",
    find: "encodeURIComponent(said)",
    replace: "said",
    tests: IDS,
  },
  {
    what: "a list is asked for in the realm that its ids say",
    find: "const inId = new Set([...partsInPath({ path: where.id.template }), where.id.realm]);",
    replace: "const inId = new Set(partsInPath({ path: where.id.template }));",
    tests: REGIONS,
  },
  {
    what: "the items of a list are in the realm in which it was asked for",
    find: "{ id: idOf(definition, connection, own, address), name,",
    replace: "{ id: idOf(definition, connection, own, {}), name,",
    tests: REGIONS,
  },
  {
    what: "no step asks for an answer that may be behind",
    find: 'export const inScope = { namespace: "{namespace}", region: "{region}" } as const;',
    replace:
      'export const inScope = { namespace: "{namespace}", region: "{region}", stale: "true" } as const;',
    tests: REGIONS,
    only: "scheduler:Job",
  },
  {
    what: "an id of an earlier version leads to the realm of its program",
    find: "addressOf(definition, own.connection(service, undefined), fromEngine(inputs))[realm];",
    replace: "undefined;",
    tests: HERE,
  },
  {
    what: "a realm that nobody said is the one that was answered, where somebody says another now",
    find: 'const asked = isOpen && typeof answered === "string" ? answered : said;',
    replace: "const asked = said;",
    tests: HERE,
  },
];
