import { z } from "zod";
import type { Service } from "./service";

/** The schema without the wrappers that only say whether it may be missing. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    // zod types the inner schema as its core type; these wrappers hold full schemas.
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  return schema;
}

/** `autoApply` on the wire, by the service's rule: auto-apply, AutoApply or auto_apply. */
export function wireName(name: string, naming: Service["naming"]): string {
  if (naming === "pascal") return name.charAt(0).toUpperCase() + name.slice(1);
  const separator = naming === "kebab" ? "-" : "_";
  return name.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase());
}
