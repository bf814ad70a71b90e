import { addressParts } from "../language/address";
import { type AnyDefinition, livesAs } from "../language/resource";
import type { PreviewInput } from "../language/stepInput";
import { formatRecords, parseRecords, RECORDS, type Records } from "../state/records";
import type { Inputs } from "../value/unknown";

/** Remembers that the program moves this object, so that the objects below it move with it. */
export function rememberMove(
  definition: AnyDefinition,
  input: PreviewInput,
  { address }: Records,
  inputs: Inputs,
): void {
  const { parent } = definition.where;
  if (parent === undefined) return;
  const [from, to] = [address[parent.part], inputs[parent.part]];
  if (from === undefined || typeof to !== "string" || from === to) return;
  input.places?.move(location(definition, input, address, parent.below, from), to);
}

/**
 * The outputs in the state, with the new location of an object whose parent this command moves. A procedure (issued
 * credentials, a check-out) does not move: its lease ends with the move.
 */
export function followMove(definition: AnyDefinition, input: PreviewInput, outputs: Inputs): Inputs {
  const records = livesAs(definition, "procedure") ? undefined : parseRecords(outputs);
  if (records === undefined) return outputs;
  const moved = newParts(definition, input, records);
  if (Object.keys(moved).length === 0) return outputs;
  const address = { ...records.address, ...moved };
  return { ...outputs, ...moved, [RECORDS]: formatRecords({ ...records, address }) };
}

/** The parts of an address that differ. */
export function movedParts(before: Records, after: Records): string[] {
  return Object.keys(after.address).filter((part) => after.address[part] !== before.address[part]);
}

function newParts(
  definition: AnyDefinition,
  input: PreviewInput,
  { address }: Records,
): Readonly<Record<string, string>> {
  const { places } = input;
  if (places === undefined) return {};
  return Object.fromEntries(
    addressParts(definition).flatMap((part) => {
      const from = address[part];
      const to = from && places.movedTo(location(definition, input, address, part, from));
      return to === undefined || to === "" ? [] : [[part, to]];
    }),
  );
}

/** Identifies the value of a part of an address on its server. */
function location(
  { service }: AnyDefinition,
  { connection: { settings } }: PreviewInput,
  address: Records["address"],
  part: string,
  value: string,
): string {
  return JSON.stringify([
    service.name,
    settings.address,
    service.realm?.header(settings, address)[1],
    part,
    value,
  ]);
}
