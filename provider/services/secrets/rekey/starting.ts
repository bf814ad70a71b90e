import {
  ActionableError,
  ADOPTION,
  editProgram,
  errorFrom,
  type HookContext,
  isSuccess,
  type Json,
  type ProcedureProgress,
  probeAfter,
  rerunUp,
  type ServiceError,
  send,
  sendOnce,
  set,
  unknownError,
  writeOnce,
} from "../../../core";
import { unwrappedAnswer } from "../service";
import { storeNewShares } from "./giving";
import { KEYS_LOST } from "./losing";
import type { RekeyWork } from "./routes";
import { isInVerification, type RekeyStatus, readStatus, statusIn } from "./status";

/**
 * Starts a rekey, and stores its nonce. After a lost response, a rekey with exactly the requested settings and without
 * shares is the one just started.
 * @throws Error if another rekey is under way and must not be canceled.
 */
export async function startRekey(
  work: RekeyWork,
  status: RekeyStatus,
): Promise<ProcedureProgress | typeof KEYS_LOST> {
  const { context, inputs, body, routes } = work;
  const asked = { ...body, require_verification: inputs.requireVerification !== false };
  if (status.isStarted && inputs.cancelRunning !== true) {
    const isAsked = isAsAsked(status, asked);
    if (isAsked && (await isInVerification(work, status))) throw completedElsewhereError(status);
    if (isAsked && context.adoptsIdentical) return adoptExisting(work, status);
    throw foreignRekeyError(status, isAsked);
  }
  if (status.isStarted) {
    await cancel(work, status.nonce);
    context.log("warning", `the rekey ${status.nonce}, which was in progress, was canceled (cancelRunning)`, {
      outcome: "applied",
      isReverted: true,
    });
  }
  const { answer, lost } = await sendOnce(context, routes.start, {}, asked);
  if (lost) return resolveLostStart(work, asked, lost);
  if (!isSuccess(answer)) throw errorFrom(context, answer, routes.start, {});
  const shown = unwrappedAnswer(answer.json ?? null);
  if (shown.complete === true) return storeInitialShares(work, status, shown);
  const now = statusIn(answer.json ?? null);
  // The specification does not show this response. If it contains no nonce, the status does.
  return storeStarted(work, now.nonce === "" ? await readStatus(work) : now);
}

/** Resolves a start whose response was lost, by the status. */
async function resolveLostStart(
  work: RekeyWork,
  asked: RekeyWork["body"],
  lost: ServiceError,
): Promise<ProcedureProgress | typeof KEYS_LOST> {
  const now = await statusAfter(work, lost);
  if (!isAsAsked(now, asked)) throw now.isStarted ? anotherInstead(now, lost) : notSeenToStart(lost);
  // Stores the rekey before the next request, because the operation may time out.
  const known = storeStarted(work, now);
  return (await isInVerification(work, now)) ? KEYS_LOST : known;
}

/** Adopts a rekey that has exactly the program's settings and no shares. Usually an interrupted update left it. */
function adoptExisting(work: RekeyWork, status: RekeyStatus): ProcedureProgress {
  work.context.log(
    "info",
    `the rekey ${status.nonce} is already in progress, and has exactly the settings of the program and no shares yet. It was adopted unchanged (${ADOPTION} is identical).`,
    { isExisting: true },
  );
  return storeStarted(work, status);
}

function storeStarted(work: RekeyWork, shown: RekeyStatus): ProcedureProgress {
  const known: ProcedureProgress = {
    phase: "started",
    prefix: work.routes.prefix,
    nonce: shown.nonce,
    progress: shown.progress,
    required: shown.required,
    given: [],
    ...(shown.fingerprints.length > 0 && { pgp_fingerprints: [...shown.fingerprints] }),
  };
  work.save(known);
  return known;
}

/**
 * The new shares that a start returns if there was no recovery key whose shares it could ask for. They are stored before the
 * next request.
 */
async function storeInitialShares(
  work: RekeyWork,
  { required }: RekeyStatus,
  shown: { readonly [member: string]: Json },
): Promise<ProcedureProgress> {
  const known = storeNewShares(work, { prefix: work.routes.prefix, nonce: "", required }, shown);
  return known.phase === "complete" ? known : withNonce(work, known, await readStatus(work));
}

/** New shares that wait for verification, with the nonce that their own response lacks. */
export function withNonce(
  work: RekeyWork,
  known: ProcedureProgress,
  { nonce }: RekeyStatus,
): ProcedureProgress {
  const named: ProcedureProgress = { ...known, nonce };
  work.save(named);
  return named;
}

/** The error for a start that the status does not show. Only the server's own rejection proves that it will not start later. */
function notSeenToStart(lost: ServiceError): ServiceError | ActionableError {
  if (lost.outcome !== "inFlight") return lost;
  return new ActionableError(
    `the response to the start of the rekey was lost: ${lost.summary} The status shows no rekey of this request, but the server may still process the request.`,
    [rerunUp("; if pulumi up then reports a rekey in progress, this request may have started that rekey")],
    { outcome: "unknown" },
  );
}

async function statusAfter(work: RekeyWork, lost: ServiceError): Promise<RekeyStatus> {
  try {
    return await probeAfter(work.context, lost, async (context) => {
      const found = await readStatus({ ...work, context });
      return { isApplied: found.isStarted, found };
    });
  } catch {
    throw new ActionableError(
      `the response to the start of the rekey was lost: ${lost.summary} The status could not be read, so it is unknown whether the rekey was started.`,
      [
        rerunUp(
          "; if pulumi up then reports a rekey in progress, call getRekeyStatus: this request may have started a rekey without shares, and cancelRunning: true cancels that rekey",
        ),
      ],
      { outcome: "unknown" },
    );
  }
}

/**
 * Cancels the rekey with this nonce. During the first ten minutes a server may require the nonce. Probes after an unknown
 * outcome.
 * @throws Error if the server refuses, or if it shows that the rekey is still under way
 */
export async function cancel(work: RekeyWork, nonce: string): Promise<void> {
  const route = work.routes.cancel;
  const outcome = await writeOnce<HookContext, undefined>(work.context, {
    route,
    address: {},
    // After ten minutes the server no longer requires the nonce, so a late request would cancel the next rekey.
    isUnsafeIfLate: true,
    send: (context) => send(context, route, {}, { nature: "write", body: { nonce } }),
    probe: async (context) => {
      const now = await readStatus({ ...work, context });
      return { isApplied: !now.isStarted || now.nonce !== nonce, found: undefined };
    },
  });
  if (outcome.kind === "unknown") throw unknownError(outcome, LATER);
}

/** A proxy may deliver a cancel long after its connection broke. */
const LATER = rerunUp(
  " after a minute: if the server processes this cancel request late, the request may cancel the rekey that is then in progress",
);

/** True if a rekey has exactly the requested settings and no shares. */
function isAsAsked(status: RekeyStatus, asked: RekeyWork["body"]): boolean {
  const keys = Array.isArray(asked.pgp_keys) ? asked.pgp_keys.length : 0;
  return (
    status.isStarted &&
    status.progress === 0 &&
    status.shares === asked.secret_shares &&
    status.threshold === asked.secret_threshold &&
    status.needsVerification === asked.require_verification &&
    status.isBackedUp === (asked.backup === true) &&
    status.fingerprints.length === keys
  );
}

/** The error for a start without a response, if a different rekey is under way. */
function anotherInstead(now: RekeyStatus, lost: ServiceError): ActionableError {
  const problem = `${lost.summary} A different rekey is in progress (${progressText(now)})`;
  return lost.outcome === "inFlight"
    ? new ActionableError(
        `${problem}. The server may still process this request, but starts no rekey before the other rekey has ended.`,
        WAITS,
        { outcome: "unknown", changedBy: "unknown" },
      )
    : new ActionableError(`${problem}; that rekey was not changed.`, WAITS, { changedBy: "unknown" });
}

const progressText = ({ nonce, progress, required }: RekeyStatus) =>
  `nonce ${nonce}, ${progress} of ${required} shares submitted`;

const WAITS = [
  editProgram("wait until that rekey is complete or canceled"),
  set("cancelRunning", true, { more: " to cancel that rekey" }),
];

/** The error for new shares that this program did not receive. */
export function completedElsewhereError({ nonce }: RekeyStatus): ActionableError {
  return new ActionableError(
    `the rekey ${nonce} has all required shares, but this program did not receive the new shares; nothing was done. Someone else submitted the last share and has the new shares, or an earlier pulumi up was interrupted before its state was saved.`,
    [
      set("cancelRunning", true, {
        more: " to cancel the rekey and start again; this invalidates the new shares of the canceled rekey",
      }),
    ],
    { outcome: "notApplied", changedBy: "unknown" },
  );
}

function foreignRekeyError(status: RekeyStatus, isAsked: boolean): ActionableError {
  return new ActionableError(
    `the server has a rekey in progress that is not in this state (${progressText(status)}); that rekey was not changed.`,
    [
      ...WAITS,
      // An interrupted update leaves exactly this.
      ...(isAsked
        ? [
            editProgram(
              `pulumi config set ${ADOPTION} identical, then pulumi up again to continue that rekey: the rekey has exactly the program's settings and no shares yet`,
            ),
          ]
        : []),
    ],
    { changedBy: "unknown" },
  );
}
