import { createHash } from "node:crypto";
import { type ServiceError, status } from "@grpc/grpc-js";
import type { Onward } from "../../functions/objects";
import { formatJson, type Json, objectIn } from "../../value/json";
import { failure } from "./failures";

/** The parameters of a list. Only the same list can continue from a token. */
export interface AskedFor {
  /** The definition's own token, `scheduler:Job`. */
  readonly token: string;
  readonly args: Readonly<Record<string, Json>>;
}

/** An opaque token with which an engine requests the next page. */
export function continuationOf(asked: AskedFor, onward: Onward): string {
  return Buffer.from(JSON.stringify({ ...onward, of: fingerprint(asked) })).toString("base64url");
}

/**
 * The position that a token contains.
 * @throws a failure for a token that is invalid, or that belongs to a different list
 */
export function onwardIn(asked: AskedFor, token: string): Onward {
  const { of, at, after, size, left } = objectIn(Buffer.from(token, "base64url").toString("utf8")) ?? {};
  const isOurs =
    typeof of === "string" &&
    isCount(size) &&
    (left === undefined || isCount(left)) &&
    [at, after].every((text) => text === undefined || typeof text === "string");
  if (!isOurs) throw refusal(asked, "was not issued by this provider");
  if (of !== fingerprint(asked)) {
    throw refusal(asked, "belongs to a different list: use it only with the same type and the same inputs");
  }
  // The checks above prove these types.
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
