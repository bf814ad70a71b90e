import { Forbidden, Invalid, ServiceError, Unauthenticated } from "../http/errors";
import { addressOf, knownAddress } from "../language/address";
import type { DefinitionBase, Specified } from "../language/fields";
import type { StepContext } from "../language/resource";
import type { Problem } from "../language/rules";
import { fingerprintOf, parsedTextOf, withReading, withReadingAlong } from "../language/serviceText";
import type { StepInput } from "../language/stepInput";
import { contextOf } from "../requests/context";
import { SecretMap } from "../state/secretMap";
import { formatJson } from "../value/json";
import { metadataOf, type ParsedText } from "../value/programInputs";
import { type Inputs, knownAmong } from "../value/unknown";

/** The result of checking a text that only the service can parse. */
export interface TextRead<I extends Inputs = Inputs> {
  readonly inputs: I;
  readonly problems: readonly Problem[];
  /** The preview's notes if the server could not be asked. */
  readonly notes: readonly string[];
}

/** Errors that would also make the `pulumi up` fail. All other errors only mean that the server is currently not available. */
const REFUSALS = [Invalid, Unauthenticated, Forbidden];

/**
 * Asks the service to parse the text of these inputs, unless an earlier result is for the same text. An unavailable server
 * is not a failure: the preview then compares the text only, and a note reports it.
 * @param earlier inputs with the result of an earlier parse
 */
export async function readText(
  definition: DefinitionBase,
  input: StepInput,
  earlier: readonly Inputs[],
  news: Inputs,
): Promise<TextRead> {
  const inputs = withEarlierReading(definition, input, news, earlier);
  try {
    const context = contextOf(definition, "check", input, inputs, earlier[0]);
    return { inputs: await withTextRead(context, inputs), problems: [], notes: [] };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const path = definition.serviceText?.property ?? "";
    if (REFUSALS.some((kind) => error instanceof kind))
      return { inputs, problems: [{ path, reason: error.message }], notes: [] };
    const note = `the server could not parse ${path}, so Quarterdeck compares ${path} as text only: ${error.message}`;
    return { inputs, problems: [], notes: [note] };
  }
}

/**
 * These inputs with the service's parsed form of their text. The service is asked only if no earlier result is for that
 * text.
 * @throws ServiceError if the server rejects the text, or cannot be reached.
 */
export async function withTextRead<I extends Inputs>(context: StepContext, inputs: I): Promise<I> {
  const { definition, connection } = context;
  const remembered = withEarlierReading(definition, context, inputs);
  const { serviceText } = definition;
  if (serviceText === undefined || !isTextUnread(definition, remembered)) return remembered;
  const address = knownAddress(addressOf(definition, connection, remembered));
  const says = await serviceText.read(context, knownAmong(remembered), address);
  const read = withReading(serviceText, remembered, says);
  rememberReading(context, metadataOf(read).parsedText);
  context.redactor.add(() => new SecretMap(definition, read).collect());
  return read;
}

/** Stores the parsed form for later steps. */
export function rememberReading(
  { readings }: Pick<StepInput, "readings">,
  reading: ParsedText | undefined,
): void {
  if (reading !== undefined) readings?.set(reading.of, reading, formatJson(reading.says).length);
}

/** These inputs with an earlier parsed form of the same text, if one is stored. */
export function withEarlierReading<I extends Inputs>(
  { serviceText }: Specified,
  { readings }: Pick<StepInput, "readings">,
  inputs: I,
  earlier: readonly Inputs[] = [],
): I {
  if (serviceText === undefined) return inputs;
  return withReadingAlong(serviceText, inputs, (of) => {
    const recorded = earlier.map((each) => metadataOf(each).parsedText).find((reading) => reading?.of === of);
    return recorded ?? readings?.get(of);
  });
}

/** True if these inputs contain a text whose parsed form is unknown. */
export function isTextUnread({ serviceText }: Specified, inputs: Inputs): boolean {
  if (serviceText === undefined || parsedTextOf(serviceText, inputs) !== undefined) return false;
  return fingerprintOf(serviceText, inputs) !== undefined;
}

/**
 * Identifies the text in these inputs and the inputs that it is parsed with. Undefined if there is no text, or if a part is
 * unknown.
 */
export function textFingerprint({ serviceText }: Specified, inputs: Inputs): string | undefined {
  return serviceText === undefined ? undefined : fingerprintOf(serviceText, inputs);
}
