import { z } from "zod";
import { addressOf, knownAddress } from "../language/address";
import { knownFactsOf } from "../language/facts";
import { depthProblems, fieldsOf, innerSchema, type Specified } from "../language/fields";
import { issueText } from "../language/issueText";
import { whyNoPart } from "../language/place";
import { isResource, partsToMake } from "../language/resource";
import { isWritable } from "../language/role";
import { brokenRules, type Problem, type Rule } from "../language/rules";
import { parsedTextOf } from "../language/serviceText";
import { environmentName, settingCommand } from "../language/settings";
import type { PreviewInput } from "../language/stepInput";
import { redactorOf, secretMapOf } from "../state/redaction";
import { mayHoldSecret } from "../state/secretFacts";
import { SecretMap } from "../state/secretMap";
import { formatJson } from "../value/json";
import { formatPath, type Path, parsePath, valueAt } from "../value/path";
import { selectInputs } from "../value/programInputs";
import { hasUnknown, type Inputs, isKnown, UNKNOWN } from "../value/unknown";

/** Returns every problem of a program's inputs. It sends nothing. */
export function check(definition: Specified, input: PreviewInput, inputs: Inputs): Problem[] {
  const deep = depthProblems(inputs);
  if (deep.length > 0) return deep;
  const problems = [
    ...shapeProblems(definition, inputs),
    ...brokenRules(definition.rules ?? [], withoutNulls(inputs), readIn(definition, inputs)).map(
      ({ rule, problem }) => ({
        ...problem,
        reason: withoutSecrets(definition, inputs, rule, problem.reason),
      }),
    ),
    ...addressProblems(definition, input, inputs),
  ];
  if (problems.length === 0) return [];
  const secrets = secretMapOf(definition, inputs, input.redactor ?? redactorOf(definition, inputs));
  return problems.map((problem) => ({ ...problem, reason: withGiven(definition, problem, inputs, secrets) }));
}

/** The service's parsed form of a text, under the text's property; unknown if the service has not parsed it yet. */
function readIn({ serviceText }: Specified, inputs: Inputs): Inputs {
  if (typeof inputs[serviceText?.property ?? ""] !== "string" || serviceText === undefined) return {};
  return { [serviceText.property]: parsedTextOf(serviceText, inputs) ?? UNKNOWN };
}

function shapeProblems(definition: Specified, inputs: Inputs): Problem[] {
  const result = z.strictObject(inputShape(definition)).safeParse(withoutNulls(inputs));
  if (result.success) return [];
  return result.error.issues.flatMap(closest).flatMap((issue) => {
    // The paths of these schemas contain only names and numbers.
    const path = issue.path as Path;
    if (hasUnknown(valueAt(inputs, path))) return [];
    if (issue.code !== "unrecognized_keys") return [{ path: formatPath(path), reason: issueText(issue) }];
    return issue.keys.map((key) => ({
      path: formatPath([...path, key]),
      reason: `unknown property${suggestion(key, membersAt(definition, path))}`,
    }));
  });
}

/** Of the forms in which a value may be written, chooses the intended one, and returns the problems inside it. */
function closest(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.find((errors) =>
    errors.every(({ path }) => path.length > 0 || isInside(errors)),
  );
  if (meant === undefined || meant.length === 0) return [issue];
  return meant.flatMap((inner) => closest({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** True if the value has the right type, and only a part of it is wrong. */
function isInside(errors: readonly z.core.$ZodIssue[]): boolean {
  return errors.every(({ code }) => code === "unrecognized_keys");
}

/** A null in the program counts as not written. */
function withoutNulls(inputs: Inputs): Inputs {
  return selectInputs(inputs, (_, value) => value !== null);
}

/** The properties that a program may write. */
function inputShape(definition: Specified): Record<string, z.ZodType> {
  const fields = fieldsOf(definition).filter(({ facts }) => isWritable(facts));
  return Object.fromEntries(fields.map((field) => [field.name, field.schema]));
}

function addressProblems(definition: Specified, input: PreviewInput, inputs: Inputs): Problem[] {
  const address = addressOf(definition, input.connection, inputs);
  const missing = partsToGive(definition).flatMap((name) => {
    if (address[name] !== undefined) return [];
    const { dialect, service } = input.connection;
    const variable = dialect.variables?.names[name]?.[0] ?? environmentName(service, name);
    const command = settingCommand(`quarterdeck:${service.name}.${name}`, "…");
    return [{ path: name, reason: `is missing: set the property, or set ${variable}, or run: ${command}` }];
  });
  const misplaced = Object.entries(address).flatMap(([name, part]) => {
    const reason =
      typeof part === "string" ? whyNoPart(definition.where ?? {}, input.connection, name, part) : undefined;
    return reason === undefined ? [] : [{ path: propertyOf(definition, name, inputs), reason }];
  });
  return [...missing, ...misplaced, ...followProblems(definition, address)];
}

/** The parts that a setting may provide and that every request needs. */
function partsToGive(definition: Specified): readonly string[] {
  const needed = isResource(definition) ? partsToMake(definition) : (definition.where?.needed ?? []);
  return needed.filter((name) => definition.where?.defaults?.[name] !== undefined);
}

/**
 * The parts of an address that differ from the part they must equal. A function may ask for such an address, and finds
 * nothing.
 */
function followProblems(definition: Specified, address: ReturnType<typeof addressOf>): Problem[] {
  if (!isResource(definition) || Object.values(address).includes(UNKNOWN)) return [];
  const parts = knownAddress(address);
  return Object.entries(definition.where.follows ?? {}).flatMap(([name, { part, appliesTo, reason }]) =>
    appliesTo(parts) && parts[part] !== undefined && parts[name] !== parts[part]
      ? [{ path: name, reason: `must be ${JSON.stringify(parts[part])}: ${reason}` }]
      : [],
  );
}

/** The property that causes a problem with a part of the address: its own property, or the document that contains it. */
function propertyOf(definition: Specified, part: string, inputs: Inputs): string {
  const fields = fieldsOf(definition);
  if (fields.some(({ name, facts }) => name === part && isWritable(facts))) return part;
  const form = fields.find(({ name, facts }) => facts.document && inputs[name] !== undefined);
  return form?.name ?? part;
}

const LONGEST_GIVEN = 80;

/** The reason, preceded by the given value. A secret value is masked. A value that may contain secrets is left out. */
function withGiven(definition: Specified, problem: Problem, inputs: Inputs, secrets: SecretMap): string {
  const path = parsePath(problem.path);
  const given = valueAt(inputs, path);
  if (!isKnown(given)) return problem.reason;
  if (secrets.isSecret(path)) return `given [secret]: ${problem.reason}`;
  if (mayHoldSecret(definition, path, given)) return problem.reason;
  const text = secrets.mask(formatJson(given));
  return `given ${text.length > LONGEST_GIVEN ? `${text.slice(0, LONGEST_GIVEN)}…` : text}: ${problem.reason}`;
}

/** The reason of a broken rule. If the rule reads a secret, which the reason may quote, returns the rule's general text. */
function withoutSecrets(
  definition: Specified,
  inputs: Inputs,
  { reads, said }: Rule,
  reason: string,
): string {
  const secrets = new SecretMap(definition, inputs);
  return reads.some((name) => secrets.isSecret(parsePath(name))) ? said : reason;
}

/** The allowed names at a path of the inputs: the properties, or the members of a property. */
function membersAt(definition: Specified, path: Path): string[] {
  const shape = z.object(inputShape(definition));
  const at = path.reduce<z.ZodType | undefined>(
    (schema, segment) => schema && inside(schema, segment),
    shape,
  );
  const inner = at && innerSchema(at);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape)
    .filter(([name, member]) => !name.startsWith("__") && isWritable(knownFactsOf(member as z.ZodType) ?? {}))
    .map(([name]) => name);
}

function inside(schema: z.ZodType, segment: string | number): z.ZodType | undefined {
  const inner = innerSchema(schema);
  // zod types inner schemas as its core type; these are complete schemas.
  if (inner instanceof z.ZodArray) return inner.element as z.ZodType;
  if (inner instanceof z.ZodRecord) return inner.valueType as z.ZodType;
  if (inner instanceof z.ZodUnion) {
    const options = inner.options as z.ZodType[];
    return options.map((option) => inside(option, segment)).find((found) => found !== undefined);
  }
  return inner instanceof z.ZodObject ? (inner.shape[String(segment)] as z.ZodType | undefined) : undefined;
}

function suggestion(wrong: string, names: readonly string[]): string {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const close =
    names.find((name) => plain(name) === plain(wrong)) ?? names.find((name) => distance(name, wrong) <= 2);
  return close === undefined ? `; known: ${names.join(", ")}` : `; did you mean ${close}?`;
}

/** The number of letters that must be changed, added or removed to get from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
