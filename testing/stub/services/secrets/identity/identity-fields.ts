import { invalid } from "../errors";
import type { Fields } from "../fields";

/** The text values of a map of metadata. */
export function metadataIn(fields: Fields, name: string): Readonly<Record<string, string>> | undefined {
  const given = fields.record(name)?.all();
  return given && Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)]));
}

/** Sorted policies in lower case. */
export function policiesIn(fields: Fields): readonly string[] | undefined {
  const policies = fields.list("policies")?.map((name) => name.trim().toLowerCase());
  if (policies?.includes("root")) throw invalid("policies cannot contain root");
  return policies && [...new Set(policies)].filter((name) => name !== "").sort();
}
