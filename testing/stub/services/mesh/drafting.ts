import type { Decoded } from "./decode";
import { serverError } from "./errors";
import { validateEntry } from "./kinds/define";
import type { Switches } from "./settings";
import type { Draft } from "./world";

/** The entry in the server's normalized form; throws a 500 if it breaks a rule of its own kind. */
export function draftOf(
  { kind, name, given }: Decoded,
  { namespace, partition }: Pick<Draft, "namespace" | "partition">,
  { normalizes, readsCertificates }: Pick<Switches, "normalizes" | "readsCertificates">,
): Draft {
  if (kind.onlyName !== undefined && name !== kind.onlyName) {
    throw serverError(
      `invalid name (${JSON.stringify(name)}), only ${JSON.stringify(kind.onlyName)} is supported`,
    );
  }
  const self = { name, namespace, partition };
  const settled = kind.fields.asStored(given, { namespace, partition }) ?? {};
  const body = kind.normalize(settled, self);
  validateEntry(body, self);
  if (kind.kind !== "inline-certificate" || readsCertificates) kind.validate(body, self);
  return { kind: kind.kind, name, namespace, partition, body, spelled: normalizes ? body : given };
}
