/** Realms: the region of a job, and what an id says of it. */

const REGIONS = ["tests/steps/regions"];
const NAMESPACES = ["tests/steps/namespaces"];
const PARTITIONS = ["tests/steps/partitions"];
const IDS = ["tests/core/language/id"];
const HERE = ["tests/discover/regions"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const realms = [
  {
    what: "a request goes to the namespace of its object",
    find: "const headers = { ...realmHeaders(connection, address), ...options.headers };",
    replace: "const headers = { ...options.headers };",
    tests: NAMESPACES,
    only: "secrets:QueueRole",
  },
  {
    what: "a list goes to the namespace that is asked for",
    find: "...(headers && { headers }),\n      nature",
    replace: "nature",
    tests: NAMESPACES,
    only: "secrets:QueueRole",
  },
  {
    what: "an object's namespace lies within the connection's",
    find: 'return outer === "" || outer === "root" ? namespace',
    replace: "return outer !== undefined ? namespace",
    tests: NAMESPACES,
    only: "relative to the connection's namespace",
  },
  {
    what: "a method is looked for by its name in its own namespace",
    find: "const there: Address = namespace === undefined ? {} : { namespace };",
    replace: "const there: Address = namespace === undefined ? {} : {};",
    tests: NAMESPACES,
    only: "secrets:MfaMethod",
  },
  {
    what: "lists of two namespaces are two lists",
    find: "    query,\n    headers,\n  ]);",
    replace: "    query,\n  ]);",
    tests: NAMESPACES,
    only: "one list for each namespace",
  },
  {
    what: "a request goes to the partition of its entry",
    find: 'export const inPlace = { dc: "{datacenter}", ns: "{namespace}", partition: "{partition}" } as const;',
    replace: 'export const inPlace = { dc: "{datacenter}", ns: "{namespace}" } as const;',
    tests: PARTITIONS,
    only: "mesh:ServiceDefaults",
  },
  {
    what: "what is inside an entry is where the entry is",
    find: "(own !== undefined && own === answer) ||",
    replace: "",
    tests: PARTITIONS,
    only: "an HTTP route with a parent",
  },
  {
    what: "an entry that says its own partition is looked for there",
    find: 'where: { ...placeOf("{kind}", "{name}"), written: partsOfEntry },',
    replace: 'where: placeOf("{kind}", "{name}"),',
    tests: PARTITIONS,
    only: "can be set in the entry itself",
  },
  {
    what: "a function looks in the partition that it is asked for",
    find: "const scope = { datacenter, namespace, partition };",
    replace: "const scope = { datacenter, namespace };",
    tests: PARTITIONS,
    only: "getConfigEntries returns",
  },
  {
    what: "an output that an id says is found behind a realm",
    find: '.replace(/^[^@/]*@/, "")',
    replace: "",
    tests: ["tests/sdk/bridge.test"],
    only: "part of an id, for all",
  },
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
    find: "    ...(realm === undefined ? [] : [realm]),\n",
    replace: "",
    tests: NAMESPACES,
    only: "secrets:QueueRole",
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
