import type { HttpAnswer } from "../../../core/http/request";
import type { Learnt, Work } from "../../../core/language/lives";
import type { Route } from "../../../core/language/route";
import { errorOfRead, isSuccess } from "../../../core/requests/observe";
import { send } from "../../../core/requests/send";
import { isObject, type Json } from "../../../core/value/json";
import { numberIn, textIn, wholeIn } from "../../../core/value/scalar";
import { unwrappedAnswer } from "../service";

/** The state of a rekey (specification: Rekey status). */
export interface RekeyStatus {
  readonly isStarted: boolean;
  readonly nonce: string;
  readonly shares: number;
  readonly threshold: number;
  /** Shares of the current key given so far. */
  readonly progress: number;
  readonly required: number;
  readonly fingerprints: readonly Json[];
  readonly isBackedUp: boolean;
  readonly needsVerification: boolean;
}

/** The state of a verification (specification: Rekey verification status). */
export interface VerificationStatus {
  readonly nonce: string;
  /** New shares given so far. */
  readonly progress: number;
  readonly threshold: number;
}

/** The two path prefixes of the specification differ on purpose. */
export const routes = {
  status: { method: "GET", path: "/sys/rekey-recovery-key/init" },
  start: { method: "POST", path: "/sys/rekey-recovery-key/init", answers: ["nonce"] },
  cancel: { method: "DELETE", path: "/sys/rekey-recovery-key/init" },
  update: { method: "POST", path: "/sys/rekey-recovery-key/update", answers: ["nonce"] },
  verification: { method: "GET", path: "/sys/rekey-recovery-key/verify" },
  verify: { method: "POST", path: "/sys/rekey-recovery-key/verify", answers: ["nonce"] },
  restart: { method: "DELETE", path: "/sys/rekey-recovery-key/verify", answers: ["nonce"] },
  backup: { method: "GET", path: "/sys/rekey/recovery-key-backup" },
} as const satisfies Record<string, Route>;

/** What is under way. */
export async function readStatus({ context }: Pick<Work, "context">): Promise<RekeyStatus> {
  const answer = await send(context, routes.status, {}, { nature: "read" });
  if (!isSuccess(answer) || !isStatus(answer)) throw errorOfRead(context, answer, routes.status, {});
  return statusIn(answer.json ?? null);
}

/** What a status counts, where it shows it. */
const COUNTS = ["n", "t", "progress", "required"];

/** Whether an answer is the status that was asked for: what is none must not read as "nothing is under way". */
function isStatus({ json }: HttpAnswer): boolean {
  const body = unwrappedAnswer(json ?? null);
  const counted = COUNTS.map((name) => body[name]).filter((count) => count !== undefined);
  return typeof body.nonce === "string" && counted.every((count) => wholeIn(count) !== undefined);
}

/** The state in an answer that shows it. */
export function statusIn(answer: Json): RekeyStatus {
  const body = unwrappedAnswer(answer);
  return {
    isStarted: body.started === true,
    nonce: textIn(body.nonce) ?? "",
    shares: numberIn(body.n) ?? 0,
    threshold: numberIn(body.t) ?? 0,
    progress: numberIn(body.progress) ?? 0,
    required: numberIn(body.required) ?? 0,
    fingerprints: Array.isArray(body.pgp_fingerprints) ? body.pgp_fingerprints : [],
    isBackedUp: body.backup === true,
    needsVerification: body.verification_required === true,
  };
}

/**
 * The verification under way; undefined where there is none. A service says that with a refusal, or, while a rekey still
 * lacks shares, with a status that has no nonce.
 */
export async function readVerification({
  context,
}: Pick<Work, "context">): Promise<VerificationStatus | undefined> {
  const answer = await send(context, routes.verification, {}, { nature: "read" });
  if (answer.status === 400 && /no rekey/i.test(answer.text)) return undefined;
  if (!isSuccess(answer) || !isStatus(answer)) throw errorOfRead(context, answer, routes.verification, {});
  const status = verificationIn(answer.json ?? null);
  return status.nonce === "" ? undefined : status;
}

/** The state of a verification in an answer that shows it. */
export function verificationIn(answer: Json): VerificationStatus {
  const body = unwrappedAnswer(answer);
  return {
    nonce: textIn(body.nonce) ?? "",
    progress: numberIn(body.progress) ?? 0,
    threshold: numberIn(body.t) ?? 0,
  };
}

/** Whether the status is of the rekey that the state knows. */
export function isOurs(status: RekeyStatus, known: Learnt): boolean {
  return status.isStarted && status.nonce === known.nonce;
}

/** Whether a rekey has its shares, and waits for the new ones to be given back. */
export async function isInVerification(work: Pick<Work, "context">, status: RekeyStatus): Promise<boolean> {
  return status.isStarted && status.needsVerification && (await readVerification(work)) !== undefined;
}

/**
 * The encrypted shares that the service has kept of a rekey, in the order of its PGP keys; undefined where it says that it
 * has none, or has another rekey's.
 */
export async function readBackup(
  { context }: Work,
  nonce: string,
  fingerprints: readonly Json[],
): Promise<readonly string[] | undefined> {
  const answer = await send(context, routes.backup, {}, { nature: "read" });
  if (answer.status === 400 && /no backed-up keys/i.test(answer.text)) return undefined;
  const { nonce: madeBy, keys } = unwrappedAnswer(answer.json ?? null);
  // What shows no backup proves none gone.
  if (!isSuccess(answer) || typeof madeBy !== "string" || !isObject(keys))
    throw errorOfRead(context, answer, routes.backup, {});
  if (madeBy !== nonce || fingerprints.length === 0) return undefined;
  const used = new Map<string, number>();
  const shares = fingerprints.map((fingerprint) => {
    const print = textIn(fingerprint) ?? "";
    // One PGP key may be given for several shares: its first use is the first of its shares.
    const use = used.get(print) ?? 0;
    used.set(print, use + 1);
    return [keys[print] ?? []].flat()[use];
  });
  return shares.every((share) => typeof share === "string") ? shares : undefined;
}
