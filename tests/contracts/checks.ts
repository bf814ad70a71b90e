import { isDeepStrictEqual } from "node:util";
import {
  bodyOf,
  changedAt,
  differences,
  isWithin,
  type Members,
  nameOf,
  parentOf,
  valueAt,
  without,
} from "./bodies";
import type { Case, Product, Written } from "./cases";
import type { Leaf } from "./leaves";

async function write(product: Product, token: string, body: Members): Promise<Written> {
  return (await product.open(token))(body);
}

const matches = (patterns: readonly RegExp[], path: string) => patterns.some((pattern) => pattern.test(path));

/** The offered fields that the mock server rejects or does not return, with what it does instead. */
export async function lostFields(product: Product, { token, leaves, offered }: Case): Promise<string[]> {
  const sent = new Set(leaves.map(({ path }) => path));
  const ends = offered.filter((path) => !offered.some((other) => other.startsWith(`${path}.`)));
  const lost = ends.filter((path) => !sent.has(path)).map((path) => `${path}: has no value`);
  for (const leaf of leaves) {
    const problem = await problemOf(product, token, leaf);
    if (problem !== undefined) lost.push(`${leaf.path}: ${problem}`);
  }
  return lost;
}

async function problemOf(product: Product, token: string, leaf: Leaf): Promise<string | undefined> {
  const body = bodyOf(token, leaf, product);
  const written = await write(product, token, body);
  if ("rejection" in written)
    return `${written.rejection.replaceAll(/\s+/g, " ")} for ${JSON.stringify(body)}`;
  const at = `${token} ${leaf.path}`;
  const own = valueAt(body, leaf.path);
  const [pattern, returned = {}] = product.returned.findLast(([one]) => one.test(at)) ?? [];
  const found = valueAt(written.read, returned.at?.replace("$1", pattern?.exec(at)?.[1] ?? "") ?? leaf.path);
  const isReturned = isDeepStrictEqual(found, returned.value ?? own);
  const isUnread = matches(product.unread, at);
  if (!isUnread && !matches(product.dropped, at))
    return isReturned ? undefined : `${JSON.stringify(own)} is ${JSON.stringify(found)}`;
  if (isReturned) return `a read returns ${JSON.stringify(found)}`;
  return isUnread && !(await isStored(product, token, leaf, written.dump)) ? "is not stored" : undefined;
}

/** True if the mock server's data contains the value or differs without it, or if the server rejects another type. */
async function isStored(product: Product, token: string, leaf: Leaf, dump: string): Promise<boolean> {
  const body = bodyOf(token, leaf, product);
  const value = valueAt(body, leaf.path);
  if (typeof value === "string" && dump.includes(JSON.stringify(value))) return true;
  const less = await write(product, token, without(body, leaf.path));
  if ("dump" in less && less.dump !== dump) return true;
  const wrong = changedAt(body, parentOf(leaf.path), (object) => ({ ...object, [nameOf(leaf.path)]: {} }));
  return "rejection" in (await write(product, token, wrong));
}

/** The fields that the resource does not offer and the mock server does not treat as expected, with their treatment. */
export async function wronglyTreated(product: Product, of: Case): Promise<string[]> {
  const { token, notOffered } = of;
  const outermost = notOffered.filter((path) => !notOffered.some((one) => path.startsWith(`${one}.`)));
  const wrong: string[] = [];
  for (const path of outermost) {
    const at = `${token} ${path}`;
    const value = product.values.findLast(([pattern]) => pattern.test(at))?.[1] ?? "own";
    const { base, added } = bodiesAt(product, of, parentOf(path), { [nameOf(path)]: value });
    // Each request contains the members that decide how the mock server reads it.
    if (valueAt(base, path) !== undefined) continue;
    const [pattern, treatment = "ignored"] = product.treatments.findLast(([one]) => one.test(at)) ?? [];
    const expected = treatment.replaceAll("$1", pattern?.exec(at)?.[1] ?? "");
    const [before, after] = [await write(product, token, base), await write(product, token, added)];
    const found = treatmentOf(before, after, path, added);
    if (found !== expected) wrong.push(`${path}: ${found}`);
  }
  return wrong;
}

/** The treatment of a field: `before` is the object without it, and `after` with it. */
function treatmentOf(before: Written, after: Written, path: string, sent: Members): string {
  if ("rejection" in before) return `cannot be tested: ${before.rejection}`;
  if ("rejection" in after) return "rejected";
  const changed = differences(before.read, after.read);
  if (changed.length === 0) return "ignored";
  const isOwn = changed.every((one) => isWithin(one, path));
  return isOwn && isDeepStrictEqual(valueAt(after.read, path), valueAt(sent, path))
    ? "stored"
    : `changes ${changed.join(", ")}`;
}

/** The objects in which the mock server does not treat these names as the product does, with what it does instead. */
export async function wronglyKnown(product: Product, of: Case, names: readonly string[]): Promise<string[]> {
  const { token, paths, leaves } = of;
  const parents = new Set(leaves.flatMap(({ path }) => ancestorsOf(path)));
  const wrong: string[] = [];
  for (const parent of parents) {
    const own = [...paths]
      .filter((path) => parentOf(path) === parent)
      .map((path) => nameOf(path).toLowerCase());
    // The keys of a map are the user's.
    if (own.length === 0) continue;
    const isForeign = (name: string) => {
      const path = parent === "" ? name : `${parent}.${name}`;
      return !own.includes(name.toLowerCase()) && !matches(product.further, `${token} ${path}`);
    };
    const problem = await problemOfUnknown(product, of, parent, names.filter(isForeign));
    if (problem !== undefined) wrong.push(`${parent}: ${problem}`);
  }
  return wrong;
}

/** Sends members of these names in one object, and again without those that the mock server rejects. */
async function problemOfUnknown(product: Product, of: Case, parent: string, names: readonly string[]) {
  const { token } = of;
  const before = await write(product, token, bodiesAt(product, of, parent, {}).base);
  if ("rejection" in before) return `cannot be tested: ${before.rejection}`;
  const isRejected = product.unknown(token) === "rejected";
  // A rejected request changes nothing.
  const send = await product.open(token);
  for (let left = names; ; ) {
    const members = Object.fromEntries(left.map((name) => [name, product.unknownValue]));
    const after = await send(bodiesAt(product, of, parent, members).added);
    if (!("rejection" in after)) {
      if (isRejected) return left.length === 0 ? undefined : `accepts ${left.join(", ")}`;
      const changed = differences(before.read, after.read);
      return changed.length === 0 ? undefined : `changes ${changed.join(", ")}`;
    }
    const named = new Set([...after.rejection.matchAll(/"([^"]+)"/g)].map(([, path = ""]) => nameOf(path)));
    const rest = left.filter((name) => !named.has(name));
    if (!isRejected || rest.length === left.length) return after.rejection;
    left = rest;
  }
}

/** A valid request with the object at a path, and the same request with further members of that object. */
function bodiesAt(product: Product, { token, leaves }: Case, parent: string, members: Members) {
  const leaf = leaves.find(({ path }) => parent === "" || path.startsWith(`${parent}.`));
  if (leaf === undefined) throw new TypeError(`${token} has no field in ${parent}`);
  const base = bodyOf(token, leaf, product);
  return { base, added: changedAt(base, parent, (object) => ({ ...object, ...members })) };
}

/** The paths of the objects around a field. */
function ancestorsOf(path: string): string[] {
  return path === "" ? [] : [parentOf(path), ...ancestorsOf(parentOf(path))];
}
