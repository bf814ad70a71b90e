import { isObject } from "./json";

/** Where a secret is that a program does not write: in an environment variable, or in a file. */
export type SecretSource = { readonly fromEnv: string } | { readonly fromFile: string };

/** The source that a value says: an object with that one member, which no secret is, because each of them is text. */
export function sourceIn(value: unknown): SecretSource | undefined {
  if (!isObject(value)) return undefined;
  const [member, ...others] = Object.entries(value);
  if (member === undefined || others.length > 0) return undefined;
  const [kind, name] = member;
  if (typeof name !== "string" || name === "") return undefined;
  if (kind === "fromEnv") return { fromEnv: name };
  return kind === "fromFile" ? { fromFile: name } : undefined;
}

/** A source as a program writes it. */
export function sourceText(source: SecretSource): string {
  return "fromEnv" in source
    ? `fromEnv(${JSON.stringify(source.fromEnv)})`
    : `fromFile(${JSON.stringify(source.fromFile)})`;
}

/** Whether two sources are one. */
export function isSameSource(one: SecretSource | undefined, other: SecretSource | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return sourceText(one) === sourceText(other);
}
