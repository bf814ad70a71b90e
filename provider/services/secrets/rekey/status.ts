import {
  ActionableError,
  editProgram,
  errorOfRead,
  type HttpResponse,
  isObject,
  isSuccess,
  type Json,
  numberIn,
  type ProcedureInput,
  type ProcedureProgress,
  send,
  textIn,
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
  /** The shares of the current key that the server has counted so far. */
  readonly progress: number;
  readonly required: number;
  readonly fingerprints: readonly Json[];
  readonly isBackedUp: boolean;
  readonly needsVerification: boolean;
}

/** The state of a verification (specification: Rekey verification status). */
export interface VerificationStatus {
  readonly nonce: string;
  /** The new shares that the server has counted so far. */
  readonly progress: number;
  readonly threshold: number;
}

/** Reads the state of a rekey. */
export async function readStatus({ context, routes }: Asking): Promise<RekeyStatus> {
  return statusFrom(context, await send(context, routes.status, {}, { nature: "read" }), routes);
}

/**
 * Selects the requests that the server has for a rekey, and reads the status with them. A recorded rekey is read only at the
 * path that started it.
 * @throws Error if the server has neither kind of request
 */
export async function openCeremony(
  work: ProcedureInput,
): Promise<{ readonly work: RekeyWork; readonly status: RekeyStatus }> {
  const { context } = work;
  const recorded = recordedRoutes(work.progress);
  for (const routes of recorded ? [recorded] : [UNAUTHENTICATED, AUTHENTICATED]) {
    const answer = await send(context, routes.status, {}, { nature: "read" });
    if (isUnsupportedPath(answer)) continue;
    return { work: { ...work, routes }, status: statusFrom(context, answer, routes) };
  }
  throw recorded ? noLongerOffered(recorded) : notOffered();
}

function statusFrom(
  context: ProcedureInput["context"],
  answer: HttpResponse,
  { status }: RekeyRoutes,
): RekeyStatus {
  if (!isSuccess(answer) || !isStatus(answer)) throw errorOfRead(context, answer, status, {});
  return statusIn(answer.json ?? null);
}

/** True if the server reports that it has no such path. */
export function isUnsupportedPath(answer: HttpResponse): boolean {
  return answer.status === 404 && (errorsIn(answer) ?? []).some((error) => /unsupported path/.test(error));
}

const ENABLES = "set disable_unauthed_rekey_endpoints = false in the listener of the server";

function notOffered(): ActionableError {
  return new ActionableError(
    `the server has neither ${UNAUTHENTICATED.prefix}/init nor ${AUTHENTICATED.prefix}/init; nothing was done.`,
    [editProgram("use OpenBao 2.4 or later"), editProgram(ENABLES)],
    { outcome: "notApplied" },
  );
}

function noLongerOffered({ prefix }: RekeyRoutes): ActionableError {
  return new ActionableError(
    `the rekey was started at ${prefix}/init, but the server no longer has this path; nothing was done.`,
    [
      ...(prefix === UNAUTHENTICATED.prefix ? [editProgram(ENABLES)] : []),
      editProgram(
        "remove the resource from the state with pulumi state delete, if you no longer need the rekey",
      ),
    ],
    { outcome: "notApplied" },
  );
}

/** The counts of a status, if it shows them. */
const COUNTS = ["n", "t", "progress", "required"];

/** True if a response is the requested status. Any other response must not count as "nothing is under way". */
function isStatus({ json }: HttpResponse): boolean {
  const body = unwrappedAnswer(json ?? null);
  const counted = COUNTS.map((name) => body[name]).filter((count) => count !== undefined);
  // Without a rekey, one of the two kinds of paths returns no nonce.
  const isIdle = body.started === false && body.nonce === undefined && body.required !== undefined;
  return (typeof body.nonce === "string" || isIdle) && counted.every((count) => wholeIn(count) !== undefined);
}

/** The state of a rekey in a response. */
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
 * The verification under way, or undefined. Without one, the server returns an error or, while a rekey still needs shares, a
 * status without a nonce.
 */
export async function readVerification({ context, routes }: Asking): Promise<VerificationStatus | undefined> {
  const answer = await send(context, routes.verification, {}, { nature: "read" });
  if (answer.status === 400 && /no (rekey|rotation)/i.test(answer.text)) return undefined;
  if (!isSuccess(answer) || !isStatus(answer)) throw errorOfRead(context, answer, routes.verification, {});
  const status = verificationIn(answer.json ?? null);
  // A restart may have created a nonce before there was anything to verify.
  const isIdle = unwrappedAnswer(answer.json ?? null).started === false;
  return isIdle || status.nonce === "" ? undefined : status;
}

/** The state of a verification in a response. */
export function verificationIn(answer: Json): VerificationStatus {
  const body = unwrappedAnswer(answer);
  return {
    nonce: textIn(body.nonce) ?? "",
    progress: numberIn(body.progress) ?? 0,
    threshold: numberIn(body.t) ?? 0,
  };
}

/** True if the status belongs to the recorded rekey. */
export function isOurs(status: RekeyStatus, known: ProcedureProgress): boolean {
  return status.isStarted && status.nonce === known.nonce;
}

/** True if a rekey has enough shares of the current key, and waits for its new shares to be verified. */
export async function isInVerification(work: Asking, status: RekeyStatus): Promise<boolean> {
  return status.isStarted && status.needsVerification && (await readVerification(work)) !== undefined;
}

/**
 * The encrypted shares in the server's backup of a rekey, in the order of its PGP keys. Undefined if the server reports no
 * backup, or has another rekey's backup.
 */
export async function readBackup(
  { context, routes }: Asking,
  nonce: string,
  fingerprints: readonly Json[],
): Promise<readonly string[] | undefined> {
  const answer = await send(context, routes.backup, {}, { nature: "read" });
  if (answer.status === 400 && /no backed-up keys/i.test(answer.text)) return undefined;
  const { nonce: madeBy, keys } = unwrappedAnswer(answer.json ?? null);
  // A response without a backup does not prove its absence.
  if (!isSuccess(answer) || typeof madeBy !== "string" || !isObject(keys))
    throw errorOfRead(context, answer, routes.backup, {});
  if (madeBy !== nonce || fingerprints.length === 0) return undefined;
  const used = new Map<string, number>();
  const shares = fingerprints.map((fingerprint) => {
    const print = textIn(fingerprint) ?? "";
    // One PGP key may encrypt several shares: its first use is the first of its shares.
    const use = used.get(print) ?? 0;
    used.set(print, use + 1);
    return [keys[print] ?? []].flat()[use];
  });
  return shares.every((share) => typeof share === "string") ? shares : undefined;
}
