import { equalJson, isObject, type Json } from "../../value/json";
import { formatPath, type Path } from "../../value/path";
import { type Bag, withoutAside } from "../asideProperty";

/**
 * Whether a check is one of what was just found by its id: an engine that imports checks what it read against itself. What
 * the service never shows, or what is not printed, is then not there yet, and no failure.
 */
export function isAsRead(olds: Bag, news: Bag): boolean {
  // JSON and marks' values are all that is left of a message.
  const [before, now] = [olds, news].map((bag) => withoutAside(bag) as { [name: string]: Json });
  return Object.keys(olds).length > 0 && equalJson(before, now);
}

/**
 * The texts that the CLI's generator for TypeScript damages in the program that an import prints: as template literals, without
 * each `$` that no `{` follows (seen at CLI 3.260).
 */
export function damagedTexts(value: Json, path: Path = []): string[] {
  if (typeof value === "string") return isDamaged(value) ? [formatPath(path)] : [];
  if (Array.isArray(value)) return value.flatMap((element, index) => damagedTexts(element, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => damagedTexts(member, [...path, name]));
}

/** A text with one line break, at an end, is printed between quotes. */
function isDamaged(text: string): boolean {
  const breaks = text.split("\n").length - 1;
  const isTemplate = breaks > 1 || (breaks === 1 && !text.startsWith("\n") && !text.endsWith("\n"));
  return isTemplate && /\$(?!\{)/.test(text);
}
