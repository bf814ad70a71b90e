import { createHash } from "node:crypto";
import { type ServiceError, status } from "@grpc/grpc-js";
import type { Onward } from "../../functions/objects";
import { formatJson, type Json, objectIn } from "../../value/json";
import { failure } from "./log";

/** What a list was asked for: only the same list goes on where it stopped. */
export interface AskedFor {
  /** The definition's own token, `scheduler:Job`. */
  readonly token: string;
  readonly args: Readonly<Record<string, Json>>;
}

/** A token by which an engine asks for what comes next, and which says nothing to anybody else. */
export function continuationOf(asked: AskedFor, onward: Onward): string {
  return Buffer.from(JSON.stringify({ ...onward, of: fingerprint(asked) })).toString("base64url");
}

/**
 * Where a list goes on.
 * @throws a failure for a token that is none of ours, or of another list
 */
export function onwardIn(asked: AskedFor, token: string): Onward {
  const { of, at, after, size, left } = objectIn(Buffer.from(token, "base64url").toString("utf8")) ?? {};
  const isOurs =
    typeof of === "string" &&
    isCount(size) &&
    (left === undefined || isCount(left)) &&
    [at, after].every((text) => text === undefined || typeof text === "string");
  if (!isOurs) throw refusal(asked, "is none that this provider gave out");
  if (of !== fingerprint(asked)) {
    throw refusal(asked, "is one of another list: it goes on with the same type and the same inputs only");
  }
  // As they were just seen to be.
  return { at, after, size, left } as Onward;
}

function refusal({ token }: AskedFor, reason: string): Partial<ServiceError> {
  return failure(`${token}: the continuation token ${reason}`, status.INVALID_ARGUMENT);
}

function isCount(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

function fingerprint({ token, args }: AskedFor): string {
  const inOrder = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(formatJson([token, inOrder]))
    .digest("base64url");
}
