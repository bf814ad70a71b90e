import { invalid } from "./errors";
import type { Fields } from "./fields";

/** A field that the specification does not list: one of Vault's, or one of a later release (the switch `laterFields`). */
export interface FurtherField {
  /**
   * How writes treat the field. A *writable* field keeps its value when a write omits it, unless the endpoint replaces the
   * object. A field that is *reset when omitted* returns to its initial value. Writes ignore a *read-only* field; a
   * *refused* one makes the write a 400.
   */
  readonly kind: "writable" | "reset when omitted" | "read-only" | "refused";
  /** The value until a write changes it. */
  readonly initially: unknown;
  /** Parses the value of a write. By default it is stored as it was sent. */
  readonly parse?: (fields: Fields, name: string) => unknown;
}

export type FurtherFields = Readonly<Record<string, FurtherField>>;

const duration = (fields: Fields, name: string) => fields.duration(name);

/** The fields of Vault's engines whose root credential the server can rotate on a schedule. */
export const AUTOMATED_ROTATION: FurtherFields = {
  rotation_schedule: { kind: "writable", initially: "" },
  rotation_window: { kind: "writable", initially: 0, parse: duration },
  rotation_period: { kind: "writable", initially: 0, parse: duration },
  disable_automated_rotation: {
    kind: "writable",
    initially: false,
    parse: (fields, name) => fields.boolean(name),
  },
};

/**
 * Checks the rotation of a write: `sent` are its fields, and `stored` all values after it. A schedule excludes a period, and
 * a window needs the schedule in the same request. The Community Edition rotates nothing.
 */
export function checkRotation(
  sent: Fields,
  stored: Readonly<Record<string, unknown>>,
  edition: "enterprise" | "community",
): void {
  const schedule = sent.string("rotation_schedule") ?? "";
  const window = sent.duration("rotation_window") ?? 0;
  const period = sent.duration("rotation_period") ?? 0;
  if (schedule !== "" && period !== 0)
    throw invalid(
      "mutually exclusive fields rotation_schedule and rotation_period were both specified; only one of them can be provided",
    );
  if (window !== 0 && period !== 0) throw invalid("rotation_window does not apply to period");
  if (window !== 0 && !sent.has("rotation_schedule"))
    throw invalid("cannot use rotation_window without rotation_schedule");
  if (schedule !== "" && !/^\S+(?: \S+){4}$/.test(schedule))
    throw invalid(`failed to parse provided rotation_schedule: ${schedule}`);
  const isPlanned = (stored.rotation_schedule ?? "") !== "" || (stored.rotation_period ?? 0) !== 0;
  if (edition === "community" && isPlanned && stored.disable_automated_rotation !== true)
    throw invalid(
      "error registering rotation job: rotation manager capabilities not supported in Vault community edition",
    );
}
