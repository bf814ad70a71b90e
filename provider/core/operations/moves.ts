import { addressParts } from "../language/address";
import type { Address } from "../language/object";
import type { AnyDefinition } from "../language/resource";
import type { PreviewInput } from "../language/stepInput";
import { formatRecords, parseRecords, RECORDS, type Records } from "../state/records";
import type { Inputs } from "../value/unknown";
import { serverKey } from "./placeKey";

/** Remembers that the program moves this object, so that the objects below it move with it. */
export function rememberMove(
  definition: AnyDefinition,
  { connection, places }: PreviewInput,
  { address }: Records,
  inputs: Inputs,
): void {
  const { parent } = definition.where;
  if (parent === undefined) return;
  const [from, to] = [address[parent.part], inputs[parent.part]];
  if (from === undefined || typeof to !== "string" || from === to) return;
  places?.move(partKey(serverKey(definition, connection, address), parent.below, from), to);
}

/** The outputs in the state, with the new address of an object whose parent this command moves. */
export function followMove(
  definition: AnyDefinition,
  { connection, places }: PreviewInput,
  outputs: Inputs,
): Inputs {
  const records = parseRecords(outputs);
  if (records === undefined) return outputs;
  const server = serverKey(definition, connection, records.address);
  const moved: Record<string, string> = {};
  for (const part of addressParts(definition)) {
    const from = records.address[part];
    const to = from === undefined ? undefined : places?.movedTo(partKey(server, part, from));
    if (to !== undefined) moved[part] = to;
  }
  if (Object.keys(moved).length === 0) return outputs;
  const address: Address = { ...records.address, ...moved };
  return { ...outputs, ...moved, [RECORDS]: formatRecords({ ...records, address }) };
}

/** The parts of an address that differ. */
export function movedParts(before: Records, after: Records): string[] {
  return Object.keys(after.address).filter((part) => after.address[part] !== before.address[part]);
}

/** Identifies the value of a part of an address on its server. */
function partKey(server: readonly unknown[], part: string, value: string): string {
  return JSON.stringify([...server, part, value]);
}
