import { catalog } from "../../provider/catalog";
import { withRecordsRead } from "../../provider/core/bridge/records";

const MARK = "4dabf18193072939515e22adb298388d";
const RECORDS = "__quarterdeck";

/** A resource as `stack export --show-secrets` writes it. */
interface Exported {
  readonly type?: string;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** The same with our own records as they are meant: packed they are other text on another machine. */
export function withRecordsUnpacked<R>(resource: R): R {
  const { type = "", outputs = {} }: Exported = Object(resource);
  const definition = catalog[type.split(":").slice(-2).join(":").replace(/^.*\//, "")]?.();
  const kept = outputs[RECORDS];
  if (definition === undefined || kept === undefined) return resource;
  const { [RECORDS]: text } = withRecordsRead(definition, shown(outputs));
  const own = typeof kept === "string" ? text : { ...Object(kept), plaintext: JSON.stringify(text) };
  return { ...resource, outputs: { ...outputs, [RECORDS]: own } };
}

/** Values without the marks of secrets. */
function shown(value: Readonly<Record<string, unknown>>): Record<string, unknown>;
function shown(value: unknown): unknown;
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => shown(part));
  if (typeof value !== "object" || value === null) return value;
  if (MARK in value && "plaintext" in value) return JSON.parse(String(value.plaintext));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shown(part)]));
}
