import type { Rule } from "../provider/core/language/rules";
import type { Specified } from "../provider/core/language/specified";
import type { Json } from "../provider/core/value/json";
import { listed } from "./sentences";
import { type Property, propertiesOf, type Shape } from "./shape";

/**
 * What a definition's rules say, a sentence each. The rules are asked themselves: each is offered values of its
 * properties' types, and what it answers to those that break it is what a program would be told. So the
 * documentation cannot say anything else than the check does. A rule that examples cannot tell says itself what it is.
 */
export function ruleSentences(definition: Specified): string[] {
  const properties = propertiesOf(definition);
  const { serviceText } = definition;
  const sentences = (definition.rules ?? []).flatMap((rule) =>
    sentencesOf(rule, properties).map((sentence) =>
      // What the service read in a text is that text, to its author.
      serviceText === undefined
        ? sentence
        : sentence.replace(/`(\w+)\.[^`]*`/g, (quoted, name: string) =>
            name === serviceText.property ? `\`${serviceText.property}\`` : quoted,
          ),
    ),
  );
  return [...new Set(sentences)];
}

const MOST_SENTENCES = 4;

function sentencesOf(rule: Rule, properties: readonly Property[]): string[] {
  const [blamed, ...others] = rule.reads;
  if (rule.said !== undefined) return [`\`${blamed}\`: ${rule.said}.`];
  const words = wordsOf(rule, properties);
  const offers = combinations(
    rule.reads.map((path) => offersFor(propertyAt(properties, path)?.shape, words)),
  );
  const answers = offers.map((offer) => rule.broken(offer)).filter((answer) => answer !== undefined);
  const said = [...new Set(answers)].slice(0, MOST_SENTENCES);
  if (said.length > 0) return said.map((answer) => `\`${blamed}\`: ${answer}.`);
  return others.length === 0 ? [] : [`\`${blamed}\`: checked against ${listed(others, "and")}.`];
}

/** The words that the documentation of a rule's properties puts in code: a rule often turns on one of them. */
function wordsOf(rule: Rule, properties: readonly Property[]): string[] {
  const docs = rule.reads.map((path) => propertyAt(properties, path)?.doc ?? "");
  return [...new Set(docs.flatMap((doc) => [...doc.matchAll(/`([\w-]+)`/g)].map(([, word = ""]) => word)))];
}

/** Values of a shape, some of them such that rules object to them; absence is one. */
function offersFor(shape: Shape | undefined, words: readonly string[]): (Json | undefined)[] {
  switch (shape?.kind) {
    case "choice":
      return [undefined, ...shape.values];
    case "boolean":
      return [undefined, true, false];
    case "number":
    case "integer":
      return [undefined, 0];
    case "list":
      return [undefined, ["x"]];
    case "text":
      return [undefined, "not this", "0.0.1", ...words];
    case "either":
      return [...new Set(shape.of.flatMap((part) => offersFor(part, words)))];
    default:
      return [undefined, {}, ...words.map((word) => ({ [word]: "other" }))];
  }
}

function propertyAt(properties: readonly Property[], path: string): Property | undefined {
  const [name, ...rest] = path.split(".");
  const property = properties.find((candidate) => candidate.name === name);
  if (rest.length === 0) return property;
  return property?.shape.kind === "object" ? propertyAt(property.shape.members, rest.join(".")) : undefined;
}

function combinations<V>(lists: readonly (readonly V[])[]): V[][] {
  return lists.reduce<V[][]>(
    (made, list) => made.flatMap((values) => list.map((value) => [...values, value])),
    [[]],
  );
}
