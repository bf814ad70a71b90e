import { equalJson, type Json } from "../../value/json";
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
