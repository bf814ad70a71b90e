import type { HttpAnswer } from "../http/request";
import { isObject, type Json, ownMember } from "../value/json";

/**
 * What the page of an endpoint answers where a write was carried out: nothing at all (204), the word `true`, or
 * these members, in the answer or in its `data`, the object's identity among them. That alone proves it; every other 2xx
 * is looked at, so that a server which answers a little differently costs one read.
 */
export type Answers = "nothing" | "true" | readonly [string, ...string[]];

/** Whether an answer is what the endpoint's page says. */
export function isAsSaid(answers: Answers, { status, text, json }: HttpAnswer): boolean {
  if (status < 200 || status > 299) return false;
  if (answers === "nothing") return status === 204 && text.trim() === "";
  if (answers === "true") return json === true;
  const parts = isObject(json) ? [json, json.data] : [];
  return answers.every((name) => parts.some((part) => holds(part, name)));
}

function holds(value: Json | undefined, name: string): boolean {
  const member = isObject(value) ? ownMember(value, name) : undefined;
  return member !== undefined && member !== null && member !== "";
}
