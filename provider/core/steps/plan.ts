import { recordedAs, writtenForm } from "../compare/forms";
import { addressOf } from "../language/address";
import { type Field, fieldsOf, wireName } from "../language/fields";
import type { Due } from "../language/lives";
import { type AnyDefinition, livesAs } from "../language/resource";
import { isAddress, isShown, isSteering } from "../language/role";
import type { PreviewInput } from "../language/stepInput";
import { isPerhapsMade, type Records, recordsIn } from "../state/records";
import { isSecretPathExactly } from "../state/secrets";
import { asideOf } from "../value/aside";
import { isWithinPath, type Path, parsePath, valueAt } from "../value/path";
import { isSameSource, sourceText } from "../value/sealing";
import { type Inputs, UNKNOWN, type Value } from "../value/unknown";
import { meantBy, plannedChanges } from "./planned";
import { withEarlierReading } from "./readText";

/** What the outputs will be, by name; what only the service decides is unknown. The records are not among them. */
export type Plan = Inputs;

/**
 * What a create of these inputs, or an update to them, will give. It asks nobody. Whatever is known of it holds once the
 * step has succeeded.
 * @param outputs those of the state, where it is an update
 */
export function plan(definition: AnyDefinition, input: PreviewInput, inputs: Inputs, outputs?: Inputs): Plan {
  const basis: PlanInput =
    outputs === undefined
      ? { ...basisOfCreate(definition, input, inputs), outputs: {}, isSent: true }
      : basisOfUpdate(definition, input, inputs, outputs);
  const planned = fieldsOf(definition).flatMap((field) => {
    const value = outputOf(definition, field, basis);
    return value === undefined || value === null ? [] : [[field.name, value] as const];
  });
  const due = basis.records && dueNow(definition, input, basis.records, basis.inputs);
  return { ...Object.fromEntries(planned), ...(due && { [due.output]: UNKNOWN }) };
}

/** What a plan is made of. */
interface PlanInput {
  readonly inputs: Inputs;
  readonly address: Readonly<Record<string, Value | undefined>>;
  /** The outputs of the state. */
  readonly outputs: Inputs;
  /** Whether the service hears of it, so that whatever nobody wrote may become something else. */
  readonly isSent: boolean;
  readonly records?: Records;
}

function basisOfCreate(definition: AnyDefinition, input: PreviewInput, inputs: Inputs) {
  const read = withEarlierReading(definition, input, inputs, []);
  return { inputs: read, address: addressOf(definition, input.connection, read) };
}

function basisOfUpdate(
  definition: AnyDefinition,
  input: PreviewInput,
  inputs: Inputs,
  outputs: Inputs,
): PlanInput {
  const records = recordsIn(definition, outputs);
  const meant = meantBy(definition, input, records, inputs);
  const changes = plannedChanges(definition, records, meant);
  const isOpen = records.unfinished !== undefined || isPerhapsMade(records);
  const isSent = isOpen || changes.some(({ field }) => !isSteering(field.facts));
  return { inputs: meant, address: records.address, outputs, isSent, records };
}

function outputOf(definition: AnyDefinition, field: Field, basis: PlanInput): Value | undefined {
  const { name, facts } = field;
  const { inputs, address, outputs, isSent, records } = basis;
  if (!isShown(facts)) {
    const isKept = !isSent && !isSteering(facts);
    return inputs[name] ?? (isKept ? outputs[name] : undefined);
  }
  if (isAddress(facts)) return address[name] ?? inputs[name] ?? (isSent ? UNKNOWN : undefined);
  const property = recordedAs(definition, field);
  const form = writtenForm(definition, property, inputs);
  if (form !== undefined) return form.field.name === name ? inputs[name] : undefined;
  if (property !== field) return undefined;
  if (!isSent) return outputs[name];
  // An update leaves an object where it is, and with the id that its service gave it.
  if (records !== undefined && records.address[name] !== undefined) return records.address[name];
  // What the service never shows has no output but what the program wrote.
  return livesAs(definition, "writeOnly") && records === undefined ? undefined : UNKNOWN;
}

/** What is due of a resource by the clock, though its program writes nothing new. */
export function dueNow(
  definition: AnyDefinition,
  { connection }: Pick<PreviewInput, "connection">,
  { learnt }: Pick<Records, "learnt">,
  inputs: Inputs,
): Due | undefined {
  if (!livesAs(definition, "procedure") || learnt === undefined) return undefined;
  return definition.life.due?.({ connection, inputs, learnt });
}

/** When what a procedure made has ended, where that is past. A procedure that is to go on checks that itself. */
export function endedIn(
  definition: AnyDefinition,
  { connection }: Pick<PreviewInput, "connection">,
  { learnt, unfinished }: Pick<Records, "learnt" | "unfinished">,
): { output: string; end: string } | undefined {
  if (!livesAs(definition, "procedure") || learnt === undefined || unfinished !== undefined) return undefined;
  const { lastsUntil: output } = definition.life;
  const end = output && learnt[wireName(output, definition.service.naming)];
  if (output === undefined || typeof end !== "string") return undefined;
  return Date.parse(end) <= connection.runtime.now() ? { output, end } : undefined;
}

/**
 * The paths that the program marks secret now and did not at our last write, or the other way round; but for what is kept
 * encrypted whoever writes it.
 */
export function remarked(definition: AnyDefinition, { applied }: Records, inputs: Inputs): Path[] {
  const [before = [], now = []] = [applied, inputs].map((each) => asideOf(each).secrets);
  const moved = [
    ...now.filter((path) => !before.includes(path)),
    ...before.filter((path) => !now.includes(path)),
  ];
  // What the program ignores has the marks of the state, which may be those of copied secrets.
  const { ignored = [] } = asideOf(inputs);
  return moved
    .filter((path) => !ignored.some((above) => isWithinPath(path, above)))
    .map(parsePath)
    .filter((path) => !isSecretPathExactly(definition, {}, path));
}

/** The paths at which the program says another source of a secret than at our last write, or begins or ceases to say one. */
export function resourced({ applied }: Records, inputs: Inputs): Path[] {
  const [before = {}, now = {}] = [applied, inputs].map((each) => asideOf(each).sources);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return paths.filter((path) => !isSameSource(before[path], now[path])).map(parsePath);
}

/** Which secrets are others now at the sources that the program says, as it did at our last write. */
export function rotated({ applied }: Records, inputs: Inputs): string[] {
  const before = asideOf(applied).sources ?? {};
  return Object.entries(asideOf(inputs).sources ?? {}).flatMap(([path, source]) => {
    const at = parsePath(path);
    const isRotated = isSameSource(before[path], source) && valueAt(applied, at) !== valueAt(inputs, at);
    return isRotated ? [`${path}: the value behind ${sourceText(source)} is another one`] : [];
  });
}
