import type { AnyDefinition } from "../language/resource";
import { parseRecords, RECORDS, writesIn } from "../state/records";
import { isKeptSecret } from "../state/secrets";
import { isTextUnread, withEarlierReading } from "../steps/readText";
import type { Path } from "../value/path";
import type { Inputs } from "../value/unknown";
import type { Bag } from "./asideProperty";

/** What of an answer its engine must keep encrypted, by what the program wrote. */
export function keptIn(
  definition: AnyDefinition,
  values: Bag,
  written: Inputs,
): (path: Path, value: unknown) => boolean {
  const inputs = isTextUnread(definition, written)
    ? withReadingOnRecord(definition, values, written)
    : written;
  return (path, value) => isKeptSecret(definition, inputs, path, value);
}

/** What was read of a text only while it was written lies in the records. */
function withReadingOnRecord(definition: AnyDefinition, { [RECORDS]: text }: Bag, written: Inputs): Inputs {
  const records = typeof text === "string" ? parseRecords({ [RECORDS]: text }) : undefined;
  return withEarlierReading(definition, {}, written, writesIn(records));
}
