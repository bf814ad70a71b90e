import {
  ActionableError,
  editProgram,
  errorFrom,
  ignoredFields,
  isSuccess,
  type Learnt,
  type SentOnce,
  sendOnce,
  type Values,
  type Work,
  wireName,
  wordsIn,
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
export async function issue(work: Work, fresh: Fresh, properties: readonly string[]): Promise<Learnt> {
  const { context, address, inputs, keep } = work;
  const asked = context.connection.runtime.now();
  const { route, body, query } = requestFor(fresh, inputs);
  const wrapTtl = secondsIn(inputs.wrapTtl ?? undefined) ?? 0;
  const sent: SentOnce =
    wrapTtl === 0
      ? await sendOnce(context, route, address, body, query)
      : await sendOnce(context, { ...route, answers: ["wrap_info"] }, address, body, query, {
          [context.connection.dialect.headers.wrapTtl ?? ""]: `${wrapTtl}s`,
        });
  const { answer, lost } = sent;
  if (answer === undefined || (lost && !isSuccess(answer))) {
    keep({ open: true });
    throw open(fresh, `the response was lost: ${lost?.summary}`);
  }
  if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
  const json = answer.json ?? null;
  const known = wrapTtl === 0 ? undefined : wrappingIn(json, asked);
  const members = membersOf(json);
  const lease = leaseIdIn(members) === undefined ? {} : leaseLearnt(members, asked);
  if (wrapTtl > 0 && known === undefined) {
    // Does not store an unwrapped response: the program requires that the state never contains the credentials.
    keep({ ...lease, open: true });
    throw open(
      fresh,
      `the server returned ${answer.status} with an unwrapped response, which is not stored.`,
    );
  }
  const all = known ?? { ...membersIn(members, properties), ...lease };
  const missing = known === undefined ? fresh.needed.filter((name) => typeof all[name] !== "string") : [];
  if (missing.length > 0) {
    keep({ ...all, open: true });
    throw open(fresh, `the server returned ${answer.status} without ${missing.join(" and ")}.`);
  }
  const ignored = propertiesOf(inputs, ignoredFields(answer));
  if (ignored.length > 0) {
    const kept = { ...all, not_taken: ignored };
    keep(kept);
    throw notAsAsked(kept);
  }
  keep(all);
  return all;
}

/** The error for an earlier request with an unknown outcome or with ignored parameters; undefined if it had neither. */
export function leftOver({ learnt }: Pick<Work, "learnt">, fresh: Fresh): Error | undefined {
  if (learnt.open === true) return open(fresh, "the response to an earlier request was lost.");
  return Array.isArray(learnt.not_taken) ? notAsAsked(learnt) : undefined;
}

function open({ makes }: Fresh, why: string): Error {
  return new ActionableError(
    `it is unknown whether credentials were issued: ${why} The request is not repeated, because each request creates ${makes}.`,
    [editProgram("change triggers to issue new credentials")],
    { outcome: "unknown", isUnknownForGood: true },
  );
}

function notAsAsked({ not_taken: names }: Learnt): Error {
  const ignored = wordsIn(names).join(" and ");
  return new ActionableError(
    `credentials were issued without ${ignored}: the server ignored that input. The credentials are stored; Quarterdeck does not request them again.`,
    [editProgram(`remove ${ignored} from the program, then run pulumi up to issue new credentials`)],
  );
}

/** The properties with these wire names. */
function propertiesOf(inputs: Values, wires: readonly string[]): string[] {
  return Object.keys(inputs).filter((name) => wires.includes(wireName(name, "snake")));
}

function membersIn(members: Learnt, properties: readonly string[]): Learnt {
  const wires = properties.map((name) => wireName(name, "snake"));
  return Object.fromEntries(
    wires.flatMap((name) => {
      const value = members[name];
      return value === undefined || value === null ? [] : [[name, value] as const];
    }),
  );
}
