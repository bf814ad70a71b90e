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
}

export type FurtherFields = Readonly<Record<string, FurtherField>>;

/** The fields of Vault's engines whose root credential the server can rotate on a schedule. */
export const AUTOMATED_ROTATION: FurtherFields = {
  rotation_schedule: { kind: "writable", initially: "" },
  rotation_window: { kind: "writable", initially: 0 },
  rotation_period: { kind: "writable", initially: 0 },
  disable_automated_rotation: { kind: "writable", initially: false },
};
