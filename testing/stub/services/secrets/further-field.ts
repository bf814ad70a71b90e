/** A field that the specification does not list: of the real product, or of a later release (the switch `laterFields`). */
export interface FurtherField {
  /**
   * What a write makes of it. A *writable* field keeps its value when a write omits it, unless the endpoint replaces the
   * object. A field that is *reset when omitted* returns to its first value. A *read-only* one is ignored in a write, and a
   * *refused* one makes the write a 400.
   */
  readonly kind: "writable" | "reset when omitted" | "read-only" | "refused";
  /** The value until a write sets another one. */
  readonly initially: unknown;
}

export type FurtherFields = Readonly<Record<string, FurtherField>>;

/** What engines of Vault have whose root credential the server can rotate on a schedule. */
export const AUTOMATED_ROTATION: FurtherFields = {
  rotation_schedule: { kind: "writable", initially: "" },
  rotation_window: { kind: "writable", initially: 0 },
  rotation_period: { kind: "writable", initially: 0 },
  disable_automated_rotation: { kind: "writable", initially: false },
};
