import { type AnyDefinition, inDialect } from "../language/resource";
import type { Connection } from "../language/service";
import type { StepInput } from "../language/stepInput";
import { check } from "../operations/check";
import { readText, rememberReading, type TextRead, textIn } from "../operations/readText";
import { ConfigurationError } from "../requests/given";
import { parseRecords, writesIn } from "../state/records";
import { asideOf } from "../value/aside";
import { hasUnknown, type Inputs } from "../value/unknown";
import type { CallValues, Host } from "./callValues";

/**
 * The inputs of a check: the program's inputs, the inputs in the state, and the fingerprint of the text that the state
 * declares as parsed.
 */
export interface CheckInput {
  readonly earlier: Inputs;
  readonly written: Inputs;
  readonly read: string | undefined;
}

/** The problems of some inputs, and the fingerprint of their text if it is parsed. */
export async function checked(
  definition: AnyDefinition,
  input: () => StepInput,
  { earlier, written: inputs, read }: CheckInput,
): Promise<TextRead & { readonly read?: string | undefined }> {
  if (hasUnknown(inputs.connection)) {
    const reason = "must be known in the preview: write it as plain text";
    return { inputs, problems: [{ path: "connection", reason }], notes: [] };
  }
  try {
    // A state of an earlier version stores the parsed text there.
    const given = input();
    rememberReading(given, asideOf(earlier).reading);
    const text = textIn(definition, inputs);
    // The parsed form is in the records, which a check does not receive.
    if (text !== undefined && text === read)
      return { inputs, problems: check(definition, given, inputs), notes: [], read: text };
    const found = await readText(definition, given, [earlier], inputs);
    const problems = [...check(definition, given, found.inputs), ...found.problems];
    return { ...found, problems, read: asideOf(found.inputs).reading?.of };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { inputs, problems: error.problems, notes: [] };
  }
}

/**
 * The inputs of a diff with the parsed form of their text. The check may have relied on the records for it. If the records
 * do not contain it (nothing was written, because the result was equal), the service parses the text once more.
 * @param read the fingerprint of the text that the check reported as parsed
 */
export async function readAgain(
  definition: AnyDefinition,
  input: StepInput,
  { outputs, written, read }: { outputs: Inputs; written: Inputs; read: string | undefined },
): Promise<Inputs> {
  if (read === undefined || read !== textIn(definition, written) || input.readings?.get(read)) return written;
  const earlier = writesIn(parseRecords(outputs));
  const { inputs, problems, notes } = await readText(definition, input, earlier, written);
  const [problem] = problems;
  if (problem !== undefined) throw new Error(`${problem.path}: ${problem.reason}`);
  for (const note of notes) input.log("warning", note);
  return inputs;
}

/** The connection that a resource's inputs name. */
export function connectionOf(
  { service }: AnyDefinition,
  { connection: name }: Inputs,
  host: Host,
): Connection {
  return host.connection(service, typeof name === "string" ? name : undefined);
}

/** The definition in the dialect of the servers; unchanged while the configuration cannot be used. */
export function definitionFor(definition: AnyDefinition, { inputs }: CallValues, host: Host): AnyDefinition {
  if (definition.inDialect === undefined) return definition;
  try {
    return inDialect(definition, connectionOf(definition, inputs, host).dialect);
  } catch (error) {
    if (error instanceof ConfigurationError) return definition;
    throw error;
  }
}
