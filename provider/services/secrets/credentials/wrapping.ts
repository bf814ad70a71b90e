import {
  endOf,
  errorFrom,
  errorOfRead,
  type HttpAnswer,
  isObject,
  isSuccess,
  type Json,
  type Learnt,
  numberIn,
  type Route,
  send,
  sendOnce,
  type Work,
  wordIn,
} from "../../../core";
import { errorsIn, offersLeases, secrets } from "../service";
import { leaseIdIn } from "./leases";

/** The requests of Vault and OpenBao for a wrapped response, which its token can unwrap once. */
const lookUp: Route = { method: "POST", path: "/sys/wrapping/lookup" };
const unwrap: Route = { method: "POST", path: "/sys/wrapping/unwrap", answers: ["request_id"] };

/** True if the state contains only the wrapping token of a response. */
export function isWrapped({ wrapping_token: token }: Learnt): boolean {
  return typeof token === "string";
}

/** The data to store from a wrapped response; undefined if it is not wrapped. */
export function wrappingIn(answer: Json, asked: number): Learnt | undefined {
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
export async function lookUpWrapping(work: Work): Promise<Learnt> {
  const { context, address, learnt } = work;
  const { wrapping_token: token, wrapping_ends: ends } = learnt;
  if (!offersLeases(context.connection)) {
    context.log("info", `by this machine's clock, the wrapping token expires at ${wordIn(ends)}`);
    return learnt;
  }
  const answer = await send(context, lookUp, address, { nature: "read", body: { token: token ?? null } });
  if (isSuccess(answer)) {
    if (typeof secrets.open(answer.json ?? null).creation_path !== "string")
      throw errorOfRead(context, answer, lookUp, address);
    return learnt;
  }
  if (!isNoToken(answer)) throw errorFrom(context, answer, lookUp, address, "read");
  context.log(
    "info",
    `the wrapping token no longer exists: ${whyNoMore(work)}; change triggers to issue new credentials`,
    { changedBy: "unknown" },
  );
  return learnt;
}

/**
 * The lease of a response that no one has unwrapped. Unwraps it, so that no one else can. Undefined if it was unwrapped
 * before or has ended: the recipient then knows the lease, and the server does not report it.
 * @throws ServiceError if the server refuses, or if it is unknown whether it was unwrapped
 */
export async function leaseUnwrapped({ context, address, learnt }: Work): Promise<string | undefined> {
  const { wrapping_token: token } = learnt;
  const { answer, lost } = await sendOnce(context, unwrap, address, { token: token ?? null });
  if (lost) throw lost;
  if (isNoToken(answer)) return undefined;
  if (!isSuccess(answer)) throw errorFrom(context, answer, unwrap, address);
  return isObject(answer.json) ? leaseIdIn(answer.json) : undefined;
}

/** The reason why a wrapping token no longer exists, according to the clock. */
export function whyNoMore({ context, learnt }: Work): string {
  const { wrapping_ends: ends } = learnt;
  const isOver = typeof ends === "string" && Date.parse(ends) <= context.connection.runtime.now();
  return isOver ? `it was unwrapped, or expired at ${ends} unused` : "someone unwrapped it, or revoked it";
}

function isNoToken(answer: HttpAnswer): boolean {
  const says = (error: string) => /wrapping token is not valid or does not exist/i.test(error);
  return answer.status === 400 && (errorsIn(answer)?.some(says) ?? false);
}
