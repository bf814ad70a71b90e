import {
  endOf,
  errorFrom,
  errorOfRead,
  type HttpResponse,
  isObject,
  isSuccess,
  type Json,
  numberIn,
  type ProcedureInput,
  type ProcedureProgress,
  type Route,
  send,
  sendOnce,
  stringIn,
} from "../../../core";
import { errorsIn, offersLeases, secrets } from "../service";
import { leaseIdIn } from "./leases";

/** The requests of Vault and OpenBao for a wrapped response, which its token can unwrap once. */
const lookUp: Route = { method: "POST", path: "/sys/wrapping/lookup" };
const unwrap: Route = { method: "POST", path: "/sys/wrapping/unwrap", expects: ["request_id"] };

/** True if the state contains only the wrapping token of a response. */
export function isWrapped({ wrapping_token: token }: ProcedureProgress): boolean {
  return typeof token === "string";
}

/** The data to store from a wrapped response; undefined if it is not wrapped. */
export function wrappingIn(answer: Json, asked: number): ProcedureProgress | undefined {
  const info = isObject(answer) ? answer.wrap_info : undefined;
  if (!isObject(info) || typeof info.token !== "string") return undefined;
  const { token, accessor, creation_path: path, ttl } = info;
  const ends = endOf(asked, numberIn(ttl) ?? 0);
  return {
    wrapping_token: token,
    ...(typeof accessor === "string" && { wrapping_accessor: accessor }),
    ...(typeof path === "string" && { wrapping_path: path }),
    ...(ends !== undefined && { wrapping_ends: ends }),
  };
}

/**
 * Looks a wrapping token up. If it no longer exists, someone unwrapped it as intended, or it has ended. The resource stays,
 * because the recipient has the credentials and their lease.
 */
export async function lookUpWrapping(work: ProcedureInput): Promise<ProcedureProgress> {
  const { context, address, progress } = work;
  const { wrapping_token: token, wrapping_ends: ends } = progress;
  if (!offersLeases(context.connection)) {
    context.log("info", `by this machine's clock, the wrapping token expires at ${stringIn(ends)}`);
    return progress;
  }
  const answer = await send(context, lookUp, address, { nature: "read", body: { token: token ?? null } });
  if (isSuccess(answer)) {
    if (typeof secrets.unwrap(answer.json ?? null).creation_path !== "string")
      throw errorOfRead(context, answer, lookUp, address);
    return progress;
  }
  if (!isNoToken(answer)) throw errorFrom(context, answer, lookUp, address, "read");
  context.log(
    "info",
    `the wrapping token no longer exists: ${whyNoMore(work)}; change triggers to issue new credentials`,
    { changedBy: "unknown" },
  );
  return progress;
}

/**
 * The lease of a response that no one has unwrapped. Unwraps it, so that no one else can. Undefined if it was unwrapped
 * before or has ended: the recipient then knows the lease, and the server does not report it.
 * @throws ServiceError if the server refuses, or if it is unknown whether it was unwrapped
 */
export async function leaseUnwrapped({
  context,
  address,
  progress,
}: ProcedureInput): Promise<string | undefined> {
  const { wrapping_token: token } = progress;
  const { answer, lost } = await sendOnce(context, unwrap, address, { token: token ?? null });
  if (lost) throw lost;
  if (isNoToken(answer)) return undefined;
  if (!isSuccess(answer)) throw errorFrom(context, answer, unwrap, address);
  return isObject(answer.json) ? leaseIdIn(answer.json) : undefined;
}

/** The reason why a wrapping token no longer exists, according to the clock. */
export function whyNoMore({ context, progress }: ProcedureInput): string {
  const { wrapping_ends: ends } = progress;
  const isOver = typeof ends === "string" && Date.parse(ends) <= context.connection.runtime.now();
  return isOver ? `it was unwrapped, or expired at ${ends} unused` : "someone unwrapped it, or revoked it";
}

function isNoToken(answer: HttpResponse): boolean {
  const says = (error: string) => /wrapping token is not valid or does not exist/i.test(error);
  return answer.status === 400 && (errorsIn(answer)?.some(says) ?? false);
}
