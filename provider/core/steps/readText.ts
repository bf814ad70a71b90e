import { fingerprintOf, holdsText, readingOf, withReading, withReadingAlong } from "../compare/forms";
import { Forbidden, Invalid, ServiceError, Unauthenticated } from "../http/errors";
import { addressOf, knownAddress } from "../language/address";
import type { DefinitionBase, Specified } from "../language/fields";
import type { StepContext } from "../language/resource";
import type { Problem } from "../language/rules";
import type { StepInput } from "../language/stepInput";
import { contextOf } from "../requests/context";
import { secretsIn } from "../state/redaction";
import { asideOf, type Reading } from "../value/aside";
import { formatJson } from "../value/json";
import { type Inputs, knownAmong } from "../value/unknown";

/** What a check found in a text that only the service can read. */
export interface TextRead<I extends Inputs = Inputs> {
  readonly inputs: I;
  readonly problems: readonly Problem[];
  /** What the preview says where the service could not be asked. */
  readonly notes: readonly string[];
}

/** Errors with which the up would fail as well. Any other says only that the service cannot be asked now. */
const REFUSALS = [Invalid, Unauthenticated, Forbidden];

/**
 * Lets the service read the text of these inputs, if it is not the text of an earlier reading. A service that cannot
 * be asked is no failure: the preview then goes by the text alone, and says so.
 * @param earlier inputs with which an earlier reading goes along
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
    return { inputs: await withTextRead(context, inputs, []), problems: [], notes: [] };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const path = definition.serviceText?.property ?? "";
    if (REFUSALS.some((kind) => error instanceof kind))
      return { inputs, problems: [{ path, reason: error.message }], notes: [] };
    const note = `${path} could not be read by the service, so it is compared as text only: ${error.message}`;
    return { inputs, problems: [], notes: [note] };
  }
}

/**
 * These inputs with what the service reads in their text; it is asked only where no earlier reading is of that text.
 * @throws ServiceError where it refuses the text, or cannot be reached.
 */
export async function withTextRead<I extends Inputs>(
  context: StepContext<DefinitionBase>,
  inputs: I,
  earlier: readonly Inputs[],
): Promise<I> {
  const { definition, connection } = context;
  const remembered = withEarlierReading(definition, context, inputs, earlier);
  const { serviceText } = definition;
  if (serviceText === undefined || !isTextUnread(definition, remembered)) return remembered;
  const address = knownAddress(addressOf(definition, connection, remembered));
  const says = await serviceText.read(context, knownAmong(remembered), address);
  const read = withReading(serviceText, remembered, says);
  rememberReading(context, asideOf(read).reading);
  context.redactor.add(() => secretsIn(definition, read));
  return read;
}

/** Keeps what was read for the steps that come after this one. */
export function rememberReading(
  { readings }: Pick<StepInput, "readings">,
  reading: Reading | undefined,
): void {
  if (reading !== undefined) readings?.set(reading.of, reading, formatJson(reading.says).length);
}

/** These inputs with what the service read in the same text before, as far as anybody remembers it. */
export function withEarlierReading<I extends Inputs>(
  { serviceText }: Specified,
  { readings }: Pick<StepInput, "readings">,
  inputs: I,
  earlier: readonly Inputs[],
): I {
  if (serviceText === undefined) return inputs;
  return withReadingAlong(serviceText, inputs, (of) => {
    const recorded = earlier.map((each) => asideOf(each).reading).find((reading) => reading?.of === of);
    return recorded ?? readings?.get(of);
  });
}

/** Whether these inputs hold text of which it is not known what the service reads in it. */
export function isTextUnread({ serviceText }: Specified, inputs: Inputs): boolean {
  return (
    serviceText !== undefined &&
    holdsText(serviceText, inputs) &&
    readingOf(serviceText, inputs) === undefined
  );
}

/** Which text these inputs hold, and with what it is read; undefined where they hold none, or parts are unknown. */
export function textIn({ serviceText }: Specified, inputs: Inputs): string | undefined {
  return serviceText === undefined ? undefined : fingerprintOf(serviceText, inputs);
}
