import type { Values } from "../../provider/core/language/object";
import type { Resource } from "../steps/resource";

/** One stretch of a resource's life: what stands before it, and the step that is tried. */
export interface Life {
  readonly name: string;
  /** What the program says when the step has ended. */
  readonly program: Values;
  /** Whether nothing is there in the end. */
  readonly ends?: true;
  before(resource: Resource): Promise<void>;
  step(resource: Resource): Promise<unknown>;
}

/** The lives of a resource whose program is `first`, then `second`. */
export function livesOf(first: Values, second: Values): readonly Life[] {
  const made = (resource: Resource) => resource.create(first);
  return [
    { name: "create", program: first, before: async () => undefined, step: made },
    {
      name: "update",
      program: second,
      before: made,
      step: (resource) => resource.up(second),
    },
    { name: "refresh", program: first, before: made, step: (resource) => resource.refresh() },
    { name: "delete", program: first, ends: true, before: made, step: (resource) => resource.delete() },
  ];
}
