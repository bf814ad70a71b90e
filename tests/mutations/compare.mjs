import { COMPARE, CONFLICTS, law } from "./mutation.mjs";

const changes = {
  tests: [...COMPARE, "tests/steps/quiet.test", "tests/steps/others.test"],
  only: law().only,
};

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const compare = [
  {
    what: "a change that the service holds already is none",
    find: "  if (same(at.desired, at.seen)) return [];\n  const edited = !same(at.applied, at.desired);\n  if (!edited && same",
    replace: "  const edited = !same(at.applied, at.desired);\n  if (!edited && same",
    ...changes,
  },
  {
    what: "what the service made of a value is no drift",
    find: "if (!edited && same(at.settled, at.seen)) return [];",
    replace: "",
    tests: [...COMPARE, "tests/services/secrets"],
  },
  {
    what: "what the program never wrote is not compared",
    find: "  if (at.applied === undefined && at.desired === undefined) return [];\n  const { facts } = field;",
    replace: "  const { facts } = field;",
    ...changes,
  },
  {
    what: "an unknown value is a change",
    find: 'if (at.desired === UNKNOWN) return [change(field, path, at.seen, UNKNOWN, "program")];\n  if (at.desired === undefined) return removal',
    replace: "if (at.desired === UNKNOWN) return [];\n  if (at.desired === undefined) return removal",
    tests: ["tests/steps/preview.test"],
    only: "secrets:QueueRole",
  },
  {
    what: "what the program dropped goes back",
    find: 'return same(restored, at.seen) ? [] : [change(field, path, at.seen, restored, "program")];',
    replace: "return [];",
    tests: ["tests/services/workspaces", "tests/services/secrets"],
    only: "drop|remov|default|empt",
  },
  {
    what: "a movement to what the program wants is none",
    find: "if (same(at.seen, theirs) || same(ours, theirs)) return [];\n  return [{ path, field, base: at.seen, ours, theirs }];",
    replace:
      "if (same(at.seen, theirs)) return [];\n  return [{ path, field, base: at.seen, ours, theirs }];",
    tests: CONFLICTS,
  },
  {
    what: "what nobody moved is no movement",
    find: "if (same(at.seen, theirs) || same(ours, theirs)) return [];\n  return [{ path, field, base: at.seen, ours, theirs }];",
    replace: "if (same(ours, theirs)) return [];\n  return [{ path, field, base: at.seen, ours, theirs }];",
    tests: [...CONFLICTS, "tests/steps/quiet.test"],
    only: "secrets:QueueRole|conflict",
  },
  {
    what: "what others add to a list of ours is theirs",
    find: "const only = (value: Value | undefined) => [...elementsOf(value)].filter(([key]) => managed.has(key));",
    replace: "const only = (value: Value | undefined) => [...elementsOf(value)]; void managed;",
    tests: COMPARE,
  },
  {
    what: "a movement inside a document is one",
    find: "return sameInDocument(ours, current) ? [] : [{ path, field, base: c, ours, theirs: current }];",
    replace: "return [];",
    tests: CONFLICTS,
  },
  {
    what: "a document that moved as we want is no movement",
    find: "return sameInDocument(ours, current) ? [] : [{ path, field, base: c, ours, theirs: current }];",
    replace: "return [{ path, field, base: c, ours, theirs: current }];",
    tests: CONFLICTS,
  },
  {
    what: "what others add to a document is put back",
    find: "if (!edited && !moved && !isExtra) return [];",
    replace: "if (!edited && !isExtra) return [];",
    tests: ["tests/steps/others.test"],
    only: "mesh:ConfigEntry shows after",
  },
  {
    what: "others' additions go where the program asks for its own alone",
    find: "return additive === true || (additive !== undefined && inputs[additive.unless] !== true);",
    replace: "return additive !== undefined;",
    tests: COMPARE,
  },
  {
    what: "others may add to what is additive",
    find: "return additive === true || (additive !== undefined && inputs[additive.unless] !== true);",
    replace: "return additive === true;",
    tests: COMPARE,
  },
  {
    what: "a value that is not there is lacking",
    find: "return same(wanted, there) ? [] : [path];",
    replace: "return [];",
    tests: [...COMPARE, "tests/steps/lateWrites", "tests/steps/lateCreates"],
  },
  {
    what: "a block that the service drops is not missed where it holds zeros",
    find: "return isNamed(facts?.dropped, inside) && isZero(wanted) ? [] : [path];",
    replace: "return [path];",
    tests: COMPARE,
  },
  {
    what: "a link is judged by its own read, not by what the object lacks",
    find: 'if (facts.local || facts.writeOnly || facts.identity || facts.serverOwned || facts.place === "link")\n      return [];',
    replace: "if (facts.local || facts.writeOnly || facts.identity || facts.serverOwned) return [];",
    tests: ["tests/services/workspaces", "tests/steps/losses.test"],
    only: "lost|workspaces:Workspace$|workspaces:Workspace in",
  },
  {
    what: "what is emptied goes out first where the service refuses the pair",
    find: "return rivals.length === 0 ? undefined : rivals.reduce(without, inputs);",
    replace: "void rivals; void without; return undefined;",
    tests: ["tests/services/workspaces/workspacePairs"],
  },
  {
    what: "what somebody adds to a document right after our write is not the service's",
    find: "return isFilled || equalJson(before ?? null, answer ?? null) ? answer : undefined;",
    replace: "return answer;",
    tests: CONFLICTS,
  },
  {
    what: "a member that nobody manages is whatever the service answers",
    find: "const members: { [name: string]: Json } = { ...answer };\n  for",
    replace: "const members: { [name: string]: Json } = {};\n  for",
    tests: ["tests/steps/predicted"],
  },
  {
    what: "a change from nothing is an addition",
    find: 'const kind = isEmpty(from) ? "add" : isEmpty(to) ? "delete" : "update";',
    replace: 'const kind = isEmpty(to) ? "delete" : "update";',
    tests: [...COMPARE, "tests/services/workspaces", "tests/core/bridge"],
  },
];
