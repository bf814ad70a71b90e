import { createHash } from "node:crypto";
import { amountIn, type HttpAnswer, type Json, type Learnt, wordsIn } from "../../../core";

/** What tells a share from another without being it: the same in hex and in base64. */
export function markOf(share: string): string {
  const text = share.trim();
  const bytes = /^([0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
  return createHash("sha256").update("share").update(bytes).digest("hex");
}

/** A share that a program holds. */
export interface HeldShare {
  readonly share: string;
  readonly mark: string;
  /** Where it stands in the program's list, counted from 1. */
  readonly position: number;
}

/** The shares that a program holds, each once, in its order. */
export function sharesIn(value: Json | undefined): readonly HeldShare[] {
  const list = wordsIn(value);
  const marked = list.map((share, index) => ({ share, mark: markOf(share), position: index + 1 }));
  return marked.filter(({ mark }, index) => marked.findIndex((other) => other.mark === mark) === index);
}

/**
 * Which shares were given, by what is known and by how many the service has counted; undefined where it counts others
 * than are known. A share whose answer was lost is known as the one that was being given.
 */
export function sharesGiven(known: Learnt, progress: number): readonly string[] | undefined {
  const given = wordsIn(known.given);
  if (progress === given.length) return given;
  const { being_given: doubtful } = known;
  return progress === given.length + 1 && typeof doubtful === "string" ? [...given, doubtful] : undefined;
}

/** Whether the share that was being given when an answer was lost is the last that was needed. */
export function isLastInDoubt(known: Learnt): boolean {
  return typeof known.being_given === "string" && wordsIn(known.given).length + 1 >= amountIn(known.required);
}

/** Whether the service refuses a share because it counted it before. */
export function isAlreadyGiven({ status, text }: HttpAnswer): boolean {
  return status === 400 && /already been provided/.test(text);
}
