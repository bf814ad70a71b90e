import type { Shape } from "../shape";

/** The exported name of a property or a function in Go. */
export function upper(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The name of a choice's constant in Pulumi's generator: `secrets.CloudRoleCredentialType_Assumed_role`. */
export function goWord({ type }: Extract<Shape, { kind: "choice" }>, word: string): string {
  const name = upper(word)
    .replace(/-(.)/g, (_, next: string) => `_${next.toUpperCase()}`)
    .replace(/\W/g, "_")
    .replace(/_+/g, "_");
  return `${type.module}.${type.name}${name.includes("_") && !name.startsWith("_") ? "_" : ""}${name}`;
}
