import { resourcesIn, tokenOf } from "../../cli/state/deployment";
import { catalog } from "../../provider/catalog";
import { withRecordsRead } from "../../provider/core/bridge/records";
import { RECORDS } from "../../provider/core/state/records";

/** A resource as `stack export --show-secrets` writes it. */
interface Exported {
  readonly type?: string;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** The resource with unpacked records; the packed form differs between machines. */
export function withRecordsUnpacked<R>(resource: R): R {
  const { type = "", outputs = {} }: Exported = Object(resource);
  const definition = catalog[tokenOf(type) ?? ""]?.();
  const kept = outputs[RECORDS];
  const [read] = resourcesIn(JSON.stringify({ deployment: { resources: [resource] } }));
  if (definition === undefined || kept === undefined || read === undefined) return resource;
  const { [RECORDS]: text } = withRecordsRead(definition, read.outputs);
  const own = typeof kept === "string" ? text : { ...Object(kept), plaintext: JSON.stringify(text) };
  return { ...resource, outputs: { ...outputs, [RECORDS]: own } };
}
