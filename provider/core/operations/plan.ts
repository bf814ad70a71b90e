import { recordedAs, writtenForm } from "../diff/forms";
import { addressOf } from "../language/address";
import { type Field, fieldsOf, wireName } from "../language/fields";
import type { Due } from "../language/lives";
import { type AnyDefinition, livesAs } from "../language/resource";
import { isAddress, isShown, isSteering } from "../language/role";
import type { PreviewInput } from "../language/stepInput";
import { type Records, recordsIn } from "../state/records";
import { SecretMap } from "../state/secretMap";
import { isSameSource, sourceText } from "../value/fingerprint";
import { isWithinPath, type Path, parsePath, valueAt } from "../value/path";
import { metadataOf } from "../value/programInputs";
import { type Inputs, UNKNOWN, type Value } from "../value/unknown";
import { effectiveInputs, plannedChanges } from "./planned";
import { withEarlierReading } from "./readText";

/** The expected outputs by name. Values that only the server chooses are unknown. The records are not included. */
export type Plan = Inputs;

/**
 * The expected outputs of a create with these inputs, or of an update to them. It sends nothing. Every known value is
 * correct once the step has succeeded.
 * @param outputs the outputs in the state, for an update
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

/** The inputs of a plan. */
interface PlanInput {
  readonly inputs: Inputs;
  readonly address: Readonly<Record<string, Value | undefined>>;
  /** The outputs in the state. */
  readonly outputs: Inputs;
  /** True if a request is sent, so that values which the program does not write may change. */
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
  const meant = effectiveInputs(definition, input, records, inputs);
  const changes = plannedChanges(definition, records, meant);
  const isOpen = records.pending !== undefined;
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
  // An update changes neither the address of an object nor the id that the server gave it.
  if (records !== undefined && records.address[name] !== undefined) return records.address[name];
  // A value that the server never shows has no output except the written value.
  return livesAs(definition, "writeOnly") && records === undefined ? undefined : UNKNOWN;
}

/** The change of a resource that is due by the clock, even if its program is unchanged. */
export function dueNow(
  definition: AnyDefinition,
  { connection }: Pick<PreviewInput, "connection">,
  { procedure }: Pick<Records, "procedure">,
  inputs: Inputs,
): Due | undefined {
  if (!livesAs(definition, "procedure") || procedure === undefined) return undefined;
  return definition.life.due?.({ connection, inputs, learnt: procedure });
}

/** The end of a procedure's result, if it has passed. A procedure that must continue checks this itself. */
export function endedIn(
  definition: AnyDefinition,
  { connection }: Pick<PreviewInput, "connection">,
  { procedure, pending }: Pick<Records, "procedure" | "pending">,
): { output: string; end: string } | undefined {
  if (!livesAs(definition, "procedure") || procedure === undefined || pending !== undefined) return undefined;
  const { lastsUntil: output } = definition.life;
  const end = output && procedure[wireName(output, definition.service.naming)];
  if (output === undefined || typeof end !== "string") return undefined;
  return Date.parse(end) <= connection.runtime.now() ? { output, end } : undefined;
}

/** The paths whose secret mark in the program changed since the last write. Leaves out paths that are always encrypted. */
export function remarked(definition: AnyDefinition, { lastApplied }: Records, inputs: Inputs): Path[] {
  const { secretPaths: before } = metadataOf(lastApplied);
  const { secretPaths: now, ignoredPaths: ignored } = metadataOf(inputs);
  const moved = [
    ...now.filter((path) => !before.includes(path)),
    ...before.filter((path) => !now.includes(path)),
  ];
  // An ignored property has the marks of the state, which may come from copied secrets.
  const always = new SecretMap(definition);
  return moved
    .filter((path) => !ignored.some((above) => isWithinPath(path, above)))
    .map(parsePath)
    .filter((path) => !always.isWithinSecret(path));
}

/** The paths whose secret source changed in the program since the last write, or was added or removed. */
export function resourced({ lastApplied }: Records, inputs: Inputs): Path[] {
  const { secretSources: before } = metadataOf(lastApplied);
  const { secretSources: now } = metadataOf(inputs);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return paths.filter((path) => !isSameSource(before[path], now[path])).map(parsePath);
}

/** The secrets that changed although their source in the program is the same as at the last write. */
export function rotated({ lastApplied }: Records, inputs: Inputs): string[] {
  const { secretSources: before } = metadataOf(lastApplied);
  return Object.entries(metadataOf(inputs).secretSources).flatMap(([path, source]) => {
    const at = parsePath(path);
    const isRotated = isSameSource(before[path], source) && valueAt(lastApplied, at) !== valueAt(inputs, at);
    return isRotated ? [`${path}: the value behind ${sourceText(source)} is another one`] : [];
  });
}
