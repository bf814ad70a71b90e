import type { Entry } from "./entries";
import { invalid } from "./errors";
import { COMMON_FIELDS, KINDS } from "./kinds";

/** Reads the body of a PUT: the kind must be one of the specification's, and every field one of the kind's. */
export function decode(body: unknown): Entry {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalid("Request decoding failed: the body is not an object");
  }
  const sent = Object.fromEntries(Object.entries(body).map(([name, value]) => [named(name), value]));
  const { Kind: kind, Name: name } = sent;
  if (typeof kind !== "string" || kind === "") {
    throw invalid("Request decoding failed: Payload does not contain a Kind key at the top level");
  }
  const known = KINDS[kind];
  if (known === undefined) throw invalid(`Request decoding failed: invalid config entry kind: ${kind}`);
  const unknown = Object.keys(sent).filter(
    (field) => !COMMON_FIELDS.has(field) && !known.fields.includes(field),
  );
  if (unknown.length > 0) {
    const fields = unknown.map((field) => `invalid config key ${JSON.stringify(field)}`).join("; ");
    throw invalid(`Request decoding failed: ${unknown.length} error(s) occurred: ${fields}`);
  }
  const { onlyName } = known;
  const own = typeof name === "string" && name !== "" ? name : kind === "mesh" ? onlyName : undefined;
  if (own === undefined) throw invalid("Name is required");
  if (onlyName !== undefined && own !== onlyName)
    throw invalid(`invalid name (${JSON.stringify(own)}), only ${JSON.stringify(onlyName)} is supported`);
  const {
    CreateIndex: _,
    ModifyIndex: __,
    Hash: ___,
    Status: ____,
    Namespace: _____,
    Partition: ______,
    ...rest
  } = sent;
  return { ...rest, Kind: kind, Name: own };
}

/** `service_defaults` bodies may also be written in snake case at the top level, as the real decoder takes them. */
function named(field: string): string {
  if (!/^[a-z]+(_[a-z]+)*$/.test(field)) return field;
  return field
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
