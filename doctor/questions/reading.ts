import type { HttpAnswer } from "../../provider/core/http/request";
import { isObject, type Json } from "../../provider/core/value/json";
import { type Found, notTold, ok, toDo } from "../report";
import type { Question } from "./question";

export const members = (value: Json | undefined): { readonly [name: string]: Json } =>
  isObject(value) ? value : {};
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
export const namesIn = (value: Json | undefined): string[] =>
  listOf(value).flatMap((each) => (isObject(each) ? [String(each.Name ?? each.ID)] : []));
export const hasHeader = (name: string) => (answer: HttpAnswer) => answer.headers[name] !== undefined;

/** How soon a token's end is worth a word, in milliseconds. */
const SOON_MS = 3_600_000;

/** A token that is known, and when it ends. */
export function known(says: string, end: unknown, now: number): Found {
  const ends = typeof end === "string" ? Date.parse(end) : Number.NaN;
  // A token without an end has the earliest of all times.
  if (Number.isNaN(ends) || ends <= 0) return ok(says);
  const text = `${says}; it ends ${new Date(ends).toISOString()}`;
  return ends - now < SOON_MS ? toDo(text, "Renew it, or make another one, before a long update.") : ok(text);
}

/** What a refusal of the token itself says. */
export function refused({ status, text, mask = (words) => words }: HttpAnswer): Found {
  const words = mask(text.trim()).slice(0, 200);
  return toDo(`is refused: ${status} ${words}`, "Set another one where the settings say that it comes from.");
}

const isOff = ({ status, text }: HttpAnswer) => status >= 400 && /ACL support disabled/i.test(text);
const OFF = ok("access control is off: nobody needs one");

/** The token as the scheduler and the mesh tell of it. */
export function ownToken(
  path: string,
  tells: (token: { readonly [name: string]: Json }) => string,
): Question {
  return {
    what: "token",
    request: { method: "GET", path },
    reads: (answer, now) => {
      if (isOff(answer)) return OFF;
      if (answer.status !== 200) return refused(answer);
      const token = members(answer.json);
      return known(tells(token), token.ExpirationTime, now);
    },
  };
}

/** The version that an agent tells of itself, to those who may ask. */
export function version(
  path: string,
  called: string,
  reads: (answer: Json | undefined) => Json | undefined,
): Question {
  return {
    what: "product",
    request: { method: "GET", path },
    reads: ({ status, json }) => {
      const told = reads(json);
      if (status === 200 && typeof told === "string") return ok(`${called} ${told}`);
      return notTold(`the token may not ask for the version (${status})`);
    },
  };
}

export const policies = (names: readonly string[]) =>
  names.length === 0 ? "no policies" : `policies ${names.join(", ")}`;
