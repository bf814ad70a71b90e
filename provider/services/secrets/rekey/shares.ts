import { createHash } from "node:crypto";
import { amountIn, type HttpResponse, type Json, type ProcedureProgress, stringsIn } from "../../../core";

/** The fingerprint of a share: the same for its hex and its base64 form. */
export function markOf(share: string): string {
  const text = share.trim();
  const bytes = /^([0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
  return createHash("sha256").update("share").update(bytes).digest("hex");
}

/** A share in the program. */
export interface HeldShare {
  readonly share: string;
  readonly mark: string;
  /** The position in the program's list, counted from 1. */
  readonly position: number;
}

/** The program's shares, in order and without duplicates. */
export function sharesIn(value: Json | undefined): readonly HeldShare[] {
  const list = stringsIn(value);
  const marked = list.map((share, index) => ({ share, mark: markOf(share), position: index + 1 }));
  return marked.filter(({ mark }, index) => marked.findIndex((other) => other.mark === mark) === index);
}

/**
 * The submitted shares, from the records and the server's count. Undefined if the server counts unknown shares. A share
 * whose response was lost is recorded as `being_given`.
 */
export function sharesGiven(known: ProcedureProgress, progress: number): readonly string[] | undefined {
  const given = stringsIn(known.given);
  if (progress === given.length) return given;
  const { being_given: doubtful } = known;
  return progress === given.length + 1 && typeof doubtful === "string" ? [...given, doubtful] : undefined;
}

/** True if the share whose response was lost is the last one that the server needs. */
export function isLastInDoubt(known: ProcedureProgress): boolean {
  return (
    typeof known.being_given === "string" && stringsIn(known.given).length + 1 >= amountIn(known.required)
  );
}

/** True if the server rejects a share because it has already counted it. */
export function isAlreadyGiven({ status, text }: HttpResponse): boolean {
  return status === 400 && /already been provided/.test(text);
}
