import { z } from "zod";
import { type DocumentFacts, type Facts, knownFactsOf } from "./facts";
import { unwrapped, wireName } from "./fields";
import type { Service } from "./service";
import type { Spelling } from "./spelling";

/**
 * What the members of a typed document say of themselves, gathered as what is known of the document: the lists with
 * keys, those without an order, what has two spellings, and what is secret (in both languages).
 */
export function documentFactsOf(
  schema: z.ZodType,
  naming: Service["naming"],
): Required<Pick<DocumentFacts, "keyedBy" | "unordered" | "spellings" | "secret">> {
  const keyedBy: Record<string, readonly string[]> = {};
  const unordered: string[] = [];
  const spellings: Record<string, Spelling> = {};
  const secret: string[] = [];
  for (const { wire, program, facts } of membersIn(schema, naming, "", "")) {
    if (facts.keyedBy) keyedBy[wire] = facts.keyedBy;
    if (facts.unordered) unordered.push(wire);
    if (facts.spelling) spellings[wire] = facts.spelling;
    if (facts.secret) secret.push(wire, program);
  }
  return { keyedBy, unordered, spellings, secret };
}

/** A member with the patterns that name it, as it travels and as a program writes it. */
interface Member {
  readonly wire: string;
  readonly program: string;
  readonly facts: Facts;
}

function membersIn(schema: z.ZodType, naming: Service["naming"], wire: string, program: string): Member[] {
  const inner = unwrapped(schema);
  // zod types what stands inside these as its core type; they hold full schemas.
  if (inner instanceof z.ZodArray)
    return membersIn(inner.element as z.ZodType, naming, `${wire}.*`, `${program}.*`);
  if (inner instanceof z.ZodRecord)
    return membersIn(inner.valueType as z.ZodType, naming, `${wire}.*`, `${program}.*`);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, member]) => {
    const facts = knownFactsOf(member);
    const below = (path: string, segment: string) => (path === "" ? segment : `${path}.${segment}`);
    const at = below(wire, facts?.wire ?? wireName(name, naming));
    const as = below(program, name);
    const own = facts === undefined ? [] : [{ wire: at, program: as, facts }];
    return [...own, ...membersIn(member, naming, at, as)];
  });
}
