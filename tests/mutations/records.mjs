/** How records lie in a state: packed, marked unless they are proven plain, and left as they are where nothing moved. */
const BRIDGE = ["tests/core/bridge/records"];
const PACKING = ["tests/core/state/packing"];
const PLAIN = ["tests/core/state/plainness"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const records = [
  {
    what: "outputs that are not known are no state's",
    find: "if (Object.values(outputs).every(isKnown)) return known(outputs);",
    replace: "return known(outputs);",
    tests: ["tests/core/state/records"],
  },
  {
    what: "records beside a secret output are marked",
    find: "const records = hasSecret || own === text ?",
    replace: "const records = own === text ?",
    tests: BRIDGE,
  },
  {
    what: "records of an older version, which nobody proves plain, stay marked",
    find: "const records = hasSecret || own === text ?",
    replace: "const records = hasSecret ?",
    tests: BRIDGE,
  },
  {
    what: "records are packed again only where something moved",
    find: "const kept = before && isUnmoved(text, outputs, before) ?",
    replace: "const kept = before && false ?",
    tests: BRIDGE,
  },
  {
    what: "records that moved are not kept",
    find: "values[RECORDS] === text &&",
    replace: "",
    tests: BRIDGE,
  },
  {
    what: "records are packed anew where the outputs beside them moved",
    find: " && besideText(bag) === besideText(outputs)",
    replace: "",
    tests: BRIDGE,
  },
  {
    what: "a checksum tells that records do not belong to the outputs beside them",
    find: "if (own === undefined || crc32(own) !== bytes.readUInt32BE(1)) throw unreadable();",
    replace: "if (own === undefined) throw unreadable();",
    tests: PACKING,
  },
  {
    what: "the text by which the dynamic host finds its provider is no output beside the records",
    find: '.filter(([name]) => !name.startsWith("__"))',
    replace: "",
    tests: PACKING,
  },
  {
    what: "null in an object is not handed back by an engine",
    find: "member !== null && member !== undefined);\n  const sorted",
    replace: "member !== undefined);\n  const sorted",
    tests: PACKING,
  },
  {
    what: "the order in which an engine hands outputs back does not matter",
    find: "members.sort(([one], [other]) => (one < other ? -1 : 1))",
    replace: "members",
    tests: PACKING,
  },
  {
    what: "records name the dictionary with which they were packed",
    find: 'dictionaries[number - 1] ?? ""',
    replace: 'dictionaries.at(-1) ?? ""',
    tests: PACKING,
  },
  {
    what: "what a procedure has learnt is never taken for plain",
    find: "if (learnt !== undefined || unfinished !== undefined) return false;",
    replace: "if (unfinished !== undefined) return false;",
    tests: PLAIN,
  },
  {
    what: "what an error said is never taken for plain",
    find: "if (learnt !== undefined || unfinished !== undefined) return false;",
    replace: "if (learnt !== undefined) return false;",
    tests: PLAIN,
  },
  {
    what: "what a program marked is never taken for plain",
    find: "if (writesIn(records).some((written) => Object.keys(asideOf(written)).length > 0)) return false;",
    replace: "",
    tests: PLAIN,
  },
  {
    what: "a member's name may be a secret, too",
    find: "if (!name.startsWith(KEY) && !known.some(({ names }) => names.has(spelled))) return false;",
    replace: "",
    tests: PLAIN,
  },
  {
    what: "a value is public under the name under which it stands, and under no other",
    find: "{wordIn(value)}`;",
    replace: '{wordIn(value)}`.split("\\n")[1] ?? "";',
    tests: PLAIN,
  },
  {
    what: "a document may hold what someone else put there",
    find: "document !== undefined || secretsIn !== undefined || !isShown(field.facts)",
    replace: "secretsIn !== undefined || !isShown(field.facts)",
    tests: PLAIN,
  },
];
