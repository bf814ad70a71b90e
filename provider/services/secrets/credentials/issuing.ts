import {
  ActionableError,
  editProgram,
  errorFrom,
  ignoredFields,
  isSuccess,
  type ProcedureInput,
  type ProcedureProgress,
  type SentOnce,
  sendOnce,
  stringsIn,
  type Values,
  wireName,
} from "../../../core";
import { secondsIn } from "../durations";
import type { Fresh } from "./fresh";
import { leaseIdIn, leaseLearnt } from "./leases";
import { membersOf, requestFor } from "./request";
import { wrappingIn } from "./wrapping";

/**
 * Requests credentials once.
 * @throws Error if it is unknown whether the server created credentials, or if they differ from the request. The request is
 * not repeated.
 */
export async function issue(
  work: ProcedureInput,
  fresh: Fresh,
  properties: readonly string[],
): Promise<ProcedureProgress> {
  const { context, address, inputs, save } = work;
  const asked = context.connection.runtime.now();
  const { route, body, query } = requestFor(fresh, inputs);
  const wrapTtl = secondsIn(inputs.wrapTtl ?? undefined) ?? 0;
  const sent: SentOnce =
    wrapTtl === 0
      ? await sendOnce(context, route, address, body, query)
      : await sendOnce(context, { ...route, expects: ["wrap_info"] }, address, body, query, {
          [context.connection.dialect.headers.wrapTtl ?? ""]: `${wrapTtl}s`,
        });
  const { answer, lost } = sent;
  if (answer === undefined || (lost && !isSuccess(answer))) {
    save({ open: true });
    throw open(fresh, `the response was lost: ${lost?.summary}`);
  }
  if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
  const json = answer.json ?? null;
  const known = wrapTtl === 0 ? undefined : wrappingIn(json, asked);
  const members = membersOf(json);
  const lease = leaseIdIn(members) === undefined ? {} : leaseLearnt(members, asked);
  if (wrapTtl > 0 && known === undefined) {
    // Does not store an unwrapped response: the program requires that the state never contains the credentials.
    save({ ...lease, open: true });
    throw open(
      fresh,
      `the server returned ${answer.status} with an unwrapped response, which is not stored.`,
    );
  }
  const all = known ?? { ...membersIn(members, properties), ...lease };
  const missing = known === undefined ? fresh.needed.filter((name) => typeof all[name] !== "string") : [];
  if (missing.length > 0) {
    save({ ...all, open: true });
    throw open(fresh, `the server returned ${answer.status} without ${missing.join(" and ")}.`);
  }
  const ignored = propertiesOf(inputs, ignoredFields(answer));
  if (ignored.length > 0) {
    const kept = { ...all, not_taken: ignored };
    save(kept);
    throw notAsAsked(kept);
  }
  save(all);
  return all;
}

/** The error for an earlier request with an unknown outcome or with ignored parameters; undefined if it had neither. */
export function leftOver({ progress }: Pick<ProcedureInput, "progress">, fresh: Fresh): Error | undefined {
  if (progress.open === true) return open(fresh, "the response to an earlier request was lost.");
  return Array.isArray(progress.not_taken) ? notAsAsked(progress) : undefined;
}

function open({ makes }: Fresh, why: string): Error {
  return new ActionableError(
    `it is unknown whether credentials were issued: ${why} The request is not repeated, because each request creates ${makes}.`,
    [editProgram("change triggers to issue new credentials")],
    { outcome: "unknown", isUnknownForGood: true },
  );
}

function notAsAsked({ not_taken: names }: ProcedureProgress): Error {
  const ignored = stringsIn(names).join(" and ");
  return new ActionableError(
    `credentials were issued without ${ignored}: the server ignored that input. The credentials are stored; Quarterdeck does not request them again.`,
    [editProgram(`remove ${ignored} from the program, then run pulumi up to issue new credentials`)],
  );
}

/** The properties with these wire names. */
function propertiesOf(inputs: Values, wires: readonly string[]): string[] {
  return Object.keys(inputs).filter((name) => wires.includes(wireName(name, "snake")));
}

function membersIn(members: ProcedureProgress, properties: readonly string[]): ProcedureProgress {
  const wires = properties.map((name) => wireName(name, "snake"));
  return Object.fromEntries(
    wires.flatMap((name) => {
      const value = members[name];
      return value === undefined || value === null ? [] : [[name, value] as const];
    }),
  );
}
