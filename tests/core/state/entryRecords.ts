import type { Records } from "../../../provider/core/state/records";
import type { Json } from "../../../provider/core/value/json";
import { withMetadata } from "../../../provider/core/value/programInputs";

/** A program's inputs for a configuration entry with this document, and the records after a write without drift. */
export function entryRecords(spec: { [name: string]: Json }) {
  const address = { kind: "service-defaults", name: "web" };
  const applied = withMetadata({ ...address, spec }, {});
  const records: Records = {
    address,
    lastApplied: applied,
    baseline: { spec },
    observed: { spec },
    revision: "7",
  };
  return { applied, records };
}
