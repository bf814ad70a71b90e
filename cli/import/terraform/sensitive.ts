import { type Attributes, jsonOf } from "./source";

/** A step of a path in `sensitive_attributes`: a name, or `{ value }` for an index. */
type Step = { readonly value?: unknown };

/** The texts at the paths that a raw state marks as sensitive. */
export function sensitiveTexts(attributes: Attributes, paths: readonly (readonly Step[])[]): string[] {
  return paths.flatMap((path) => {
    let value: unknown = attributes;
    for (const { value: step } of path) {
      const key = typeof step === "object" && step !== null && "value" in step ? step.value : step;
      value = Object(value)[String(key)];
    }
    return textsIn(value);
  });
}

/** The texts that the output of `terraform show -json` marks with `true` in an object of the same shape. */
export function markedTexts(value: unknown, mark: unknown): string[] {
  if (mark === true) return textsIn(value);
  if (typeof mark !== "object" || mark === null) return [];
  return Object.entries(mark).flatMap(([name, inner]) => markedTexts(Object(value)[name], inner));
}

/** The texts inside a value, also inside a text that is JSON; without empty ones. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") {
    const inner = jsonOf(value);
    const texts = typeof inner === "object" && inner !== null ? textsIn(inner) : [];
    return value === "" ? [] : [value, ...texts];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
