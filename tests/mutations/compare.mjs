import { COMPARE, CONFLICTS, law } from "./mutation.mjs";

const changes = {
  tests: [...COMPARE, "tests/steps/quiet.test", "tests/steps/others.test"],
  only: law().only,
};

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const compare = [
  {
    what: "large integers and unknown elements are told apart",
    find: 'typeof part === "bigint" || typeof part === "symbol" ?',
    replace: "part === elementKey ?",
    tests: ["tests/core/compare/elements"],
  },
  {
    what: "a change that the service holds already is none",
    find: '  if (same(desired, seen) || (cause === "drift" && same(settled, seen))) return [];',
    replace: '  if (cause === "drift" && same(settled, seen)) return [];',
    ...changes,
  },
  {
    what: "what the service made of a value is no drift",
    find: '  if (same(desired, seen) || (cause === "drift" && same(settled, seen))) return [];',
    replace: "  if (same(desired, seen)) return [];",
    tests: [...COMPARE, "tests/services/secrets"],
  },
  {
    what: "what the program never wrote is not compared",
    find: "  return path.length === depth && values.applied === undefined && values.desired === undefined;",
    replace: "  return path.length < depth && values.applied === undefined && values.desired === undefined;",
    ...changes,
  },
  {
    what: "an unknown value is a change",
    find: '  if (desired === UNKNOWN) return [change(field, path, seen, UNKNOWN, "program")];',
    replace: "  if (desired === UNKNOWN) return [];",
    tests: ["tests/steps/preview.test"],
    only: "secrets:QueueRole",
  },
  {
    what: "what the program dropped goes back",
    find: '  return same(restored, seen) ? [] : [change(field, path, seen, restored, "program")];',
    replace: "  return [];",
    tests: ["tests/services/workspaces", "tests/services/secrets"],
    only: "drop|remov|default|empt",
  },
  {
    what: "a movement to what the program wants is none",
    find: "    return same(seen, current) || same(ours, current) ? [] : [movement(position, seen, ours, current)];",
    replace: "    return same(seen, current) ? [] : [movement(position, seen, ours, current)];",
    tests: CONFLICTS,
  },
  {
    what: "what nobody moved is no movement",
    find: "    return same(seen, current) || same(ours, current) ? [] : [movement(position, seen, ours, current)];",
    replace: "    return same(ours, current) ? [] : [movement(position, seen, ours, current)];",
    tests: [...CONFLICTS, "tests/steps/quiet.test"],
    only: "secrets:QueueRole|conflict",
  },
  {
    what: "what others add to a list of ours is theirs",
    find: "  const managed = [...elementsOf(value)].filter(([key]) => keys.has(key));",
    replace: "  const managed = [...elementsOf(value)];\n  void keys;",
    tests: COMPARE,
  },
  {
    what: "a movement inside a document is one",
    find: "  return sameInDocument(ours, current) ? [] : [movement(position, seen, ours, current)];",
    replace: "  void ours;\n  return [];",
    tests: CONFLICTS,
  },
  {
    what: "a document that moved as we want is no movement",
    find: "  return sameInDocument(ours, current) ? [] : [movement(position, seen, ours, current)];",
    replace: "  return [movement(position, seen, ours, current)];",
    tests: CONFLICTS,
  },
  {
    what: "what others add to a document is put back",
    find: "if (!edited && !moved && !isExtra) return [];",
    replace: "if (!edited && !isExtra) return [];",
    tests: ["tests/steps/others.test"],
    only: "mesh:ConfigEntry shows as drift after",
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
    find: "return sameAt(field, path, wanted, there) ? [] : [lacks];",
    replace: "return [];",
    tests: [...COMPARE, "tests/steps/lateWrites", "tests/steps/lateCreates"],
  },
  {
    what: "a block that the service drops is not missed where it holds zeros",
    find: "      return isNamed(dropped, insideOf(position)) && isZero(wanted) ? [] : [lacks];",
    replace: "      return [lacks];",
    tests: COMPARE,
  },
  {
    what: "a link is judged by its own read, not by what the object lacks",
    find: 'if (manner === "writeOnly" || isLink(field.facts) || values.wanted === undefined) return [];',
    replace: 'if (manner === "writeOnly" || values.wanted === undefined) return [];',
    tests: ["tests/services/workspaces", "tests/steps/losses.test"],
    only: "lost|workspaces:Workspace$|workspaces:Workspace in",
  },
  {
    what: "what is emptied goes out first where the service refuses the pair",
    find: "  if (pairs.length === 0) return undefined;",
    replace: "  if (pairs.length >= 0) return undefined;",
    tests: ["tests/services/workspaces/workspacePairs"],
  },
  {
    what: "the rival of an exclusive property is managed as empty",
    find: "const pairs = rivalsSet(definition, desired, [settled, seen, current]).filter(",
    replace: "const pairs = rivalsSet(definition, desired, []).filter(",
    tests: ["tests/steps/exclusive.test"],
  },
  {
    what: "what somebody adds to a document right after our write is not the service's",
    find: '    return position.manner !== "document" || isTheServices(position, address) ? answer : undefined;',
    replace: "    return answer;",
    tests: CONFLICTS,
  },
  {
    what: "a member that nobody manages is whatever the service answers",
    find: '    return position.manner !== "document" || isTheServices(position, address) ? answer : undefined;',
    replace: "    return isTheServices(position, address) ? answer : undefined;",
    tests: ["tests/steps/predicted"],
  },
  {
    what: "a change from nothing is an addition",
    find: 'const kind = isNothing(from) ? "add" : isNothing(to) ? "delete" : "update";',
    replace: 'const kind = isNothing(to) ? "delete" : "update";',
    tests: [...COMPARE, "tests/services/workspaces", "tests/core/bridge"],
  },
];
