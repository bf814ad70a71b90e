import {
  AdvisedError,
  edited,
  errorOfRead,
  type HttpAnswer,
  isObject,
  isSuccess,
  type Json,
  type Learnt,
  numberIn,
  send,
  textIn,
  type Work,
  wholeIn,
} from "../../../core";
import { errorsIn, unwrappedAnswer } from "../service";
import {
  type Asking,
  AUTHENTICATED,
  type RekeyRoutes,
  type RekeyWork,
  recordedRoutes,
  UNAUTHENTICATED,
} from "./routes";

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

/** What is under way. */
export async function readStatus({ context, routes }: Asking): Promise<RekeyStatus> {
  return statusFrom(context, await send(context, routes.status, {}, { nature: "read" }), routes);
}

/**
 * The work on a rekey with the requests that its server has, and the status that the server shows under them. A recorded
 * rekey is only looked for where it was started.
 * @throws Error if the server has none of the requests
 */
export async function openCeremony(
  work: Work,
): Promise<{ readonly work: RekeyWork; readonly status: RekeyStatus }> {
  const { context } = work;
  const recorded = recordedRoutes(work.learnt);
  for (const routes of recorded ? [recorded] : [UNAUTHENTICATED, AUTHENTICATED]) {
    const answer = await send(context, routes.status, {}, { nature: "read" });
    if (isUnsupportedPath(answer)) continue;
    return { work: { ...work, routes }, status: statusFrom(context, answer, routes) };
  }
  throw recorded ? noLongerOffered(recorded) : notOffered();
}

function statusFrom(context: Work["context"], answer: HttpAnswer, { status }: RekeyRoutes): RekeyStatus {
  if (!isSuccess(answer) || !isStatus(answer)) throw errorOfRead(context, answer, status, {});
  return statusIn(answer.json ?? null);
}

/** Whether a server says that it has no such path. */
export function isUnsupportedPath(answer: HttpAnswer): boolean {
  return answer.status === 404 && (errorsIn(answer) ?? []).some((error) => /unsupported path/.test(error));
}

const ENABLES = "set disable_unauthed_rekey_endpoints = false in the listener of the server";

function notOffered(): AdvisedError {
  return new AdvisedError(
    `the server has neither ${UNAUTHENTICATED.prefix}/init nor ${AUTHENTICATED.prefix}/init; nothing was done.`,
    [edited("use OpenBao 2.4 or later"), edited(ENABLES)],
  );
}

function noLongerOffered({ prefix }: RekeyRoutes): AdvisedError {
  return new AdvisedError(
    `the rekey was started at ${prefix}/init, and the server has no such path any more; nothing was done.`,
    [
      ...(prefix === UNAUTHENTICATED.prefix ? [edited(ENABLES)] : []),
      edited("remove the resource from the state with pulumi state delete, if the rekey is not to go on"),
    ],
  );
}

/** What a status counts, where it shows it. */
const COUNTS = ["n", "t", "progress", "required"];

/** Whether an answer is the status that was asked for: what is none must not read as "nothing is under way". */
function isStatus({ json }: HttpAnswer): boolean {
  const body = unwrappedAnswer(json ?? null);
  const counted = COUNTS.map((name) => body[name]).filter((count) => count !== undefined);
  // Without an attempt, one of the two kinds of paths answers without a nonce.
  const isIdle = body.started === false && body.nonce === undefined && body.required !== undefined;
  return (typeof body.nonce === "string" || isIdle) && counted.every((count) => wholeIn(count) !== undefined);
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
export async function readVerification({ context, routes }: Asking): Promise<VerificationStatus | undefined> {
  const answer = await send(context, routes.verification, {}, { nature: "read" });
  if (answer.status === 400 && /no (rekey|rotation)/i.test(answer.text)) return undefined;
  if (!isSuccess(answer) || !isStatus(answer)) throw errorOfRead(context, answer, routes.verification, {});
  const status = verificationIn(answer.json ?? null);
  // A restart may have made a nonce before there was anything to verify.
  const isIdle = unwrappedAnswer(answer.json ?? null).started === false;
  return isIdle || status.nonce === "" ? undefined : status;
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
export async function isInVerification(work: Asking, status: RekeyStatus): Promise<boolean> {
  return status.isStarted && status.needsVerification && (await readVerification(work)) !== undefined;
}

/**
 * The encrypted shares that the service has kept of a rekey, in the order of its PGP keys; undefined where it says that it
 * has none, or has another rekey's.
 */
export async function readBackup(
  { context, routes }: Asking,
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
