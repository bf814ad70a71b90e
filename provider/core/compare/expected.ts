import type { DocumentFacts } from "../language/facts";
import { fieldsOf } from "../language/fields";
import type { Definition } from "../language/resource";
import { isHollow } from "../value/empty";
import { sameInDocument } from "../value/equality";
import { equalJson, isObject, type Json, ownMember } from "../value/json";
import { lookUp, type Path } from "../value/path";
import { isAdditive } from "./additive";
import { type Model, modelOfInputs } from "./model";

type Inputs = Readonly<Record<string, Json>>;

/**
 * What the service should answer to a write of these inputs: the program's values where it gave any, what the
 * service had already added before, and, where nobody manages anything, whatever it answers.
 */
export function predicted(definition: Definition, inputs: Inputs, before: Model, answer: Model): Model {
  const desired = modelOfInputs(definition, inputs);
  const expected: Record<string, Json | undefined> = { ...answer };
  for (const field of fieldsOf(definition)) {
    const { name, facts } = field;
    const wanted = desired[name];
    if (wanted === undefined || facts.local || facts.writeOnly || facts.identity || facts.place === "link")
      continue;
    if (isAdditive(field, inputs)) continue;
    expected[name] = facts.document
      ? document(wanted, before[name], answer[name], { facts: facts.document, path: [] })
      : structure(wanted, answer[name]);
  }
  return expected;
}

/** Where in a document one is, and what is known of it. */
interface At {
  readonly facts: DocumentFacts;
  readonly path: Path;
}

function document(
  wanted: Json | undefined,
  before: Json | undefined,
  answer: Json | undefined,
  at: At,
): Json | undefined {
  if (isObject(answer) && (wanted === undefined || isObject(wanted))) {
    const members: { [name: string]: Json } = {};
    for (const name of new Set([...Object.keys(wanted ?? {}), ...Object.keys(answer)])) {
      const [own, earlier, there] = [wanted, before, answer].map((part) =>
        isObject(part) ? ownMember(part, name) : undefined,
      );
      const member = document(own, earlier, there, inside(at, name));
      if (member !== undefined) members[name] = member;
    }
    const isNothing = wanted === undefined && Object.keys(members).length === 0 && !isHollow(answer);
    return isNothing ? undefined : members;
  }
  if (wanted !== undefined) return elements(wanted, before, answer, at);
  const isFilled = isHollow(answer) || sameInDocument(lookUp(at.facts.fills, at.path), answer);
  return isFilled || equalJson(before ?? null, answer ?? null) ? answer : undefined;
}

function inside({ facts, path }: At, segment: string | number): At {
  return { facts, path: [...path, segment] };
}

/** A list without keys is compared by position: what the service adds inside an element is explained like a member. */
function elements(wanted: Json, before: Json | undefined, answer: Json | undefined, at: At): Json {
  if (!Array.isArray(wanted) || !Array.isArray(answer) || wanted.length !== answer.length) return wanted;
  const earlier = Array.isArray(before) ? before : [];
  return wanted.map(
    (element, index) => document(element, earlier[index], answer[index], inside(at, index)) ?? element,
  );
}

/** Members that the program does not write are anybody's. */
function structure(wanted: Json, answer: Json | undefined): Json {
  if (!isObject(wanted) || !isObject(answer)) return wanted;
  const members: { [name: string]: Json } = { ...answer };
  for (const [name, value] of Object.entries(wanted)) members[name] = structure(value, answer[name]);
  return members;
}
