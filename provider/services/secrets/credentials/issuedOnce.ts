import { z } from "zod";
import { AdvisedError, edited } from "../../../core/http/waysOn";
import { define, procedure } from "../../../core/language";
import { actionFields } from "../../../core/language/actionFields";
import { field } from "../../../core/language/facts";
import { wireName } from "../../../core/language/fields";
import type { Learnt, Work } from "../../../core/language/lives";
import type { DefinitionBase } from "../../../core/language/specified";
import { errorFrom, isSuccess } from "../../../core/requests/observe";
import { sendOnce } from "../../../core/requests/sendOnce";
import { endOf, numberIn } from "../../../core/value/scalar";
import { knownAmong } from "../../../core/value/unknown";
import { mounted, mountField } from "../mounts";
import { secrets } from "../service";
import type { Fresh } from "./fresh";
import { membersOf, requestFor } from "./request";
import { revoked } from "./revoking";

const { outcome: _, triggers: __, ...steering } = actionFields;

/** What an issue leaves in the state, all of it secret but for the times. */
const lease = {
  leaseId: field(z.string().optional(), { doc: "The lease.", role: "server's", secret: true }),
  leaseDuration: field(z.number().optional(), {
    doc: "Seconds for which they were issued.",
    role: "server's",
  }),
  leaseEnds: field(z.string().optional(), {
    doc: "When the lease ends unless somebody renews it (RFC 3339), by the clock of the machine that asked.",
    role: "server's",
  }),
  renewable: field(z.boolean().optional(), { doc: "Whether the lease can be renewed.", role: "server's" }),
} as const;

/** The resource that has an engine issue credentials once, and keeps them. */
export function issuedOnce({
  token,
  doc,
  id,
  fresh,
}: Pick<DefinitionBase, "token" | "doc"> & { readonly id: string; readonly fresh: Fresh }) {
  const result = fresh.result({ role: "server's", secret: true });
  return define({
    token,
    doc,
    section: fresh.section,
    service: secrets,
    fields: {
      ...steering,
      mount: mountField(fresh.engine),
      ...fresh.fields({ immutable: true }),
      // Open: whatever the program likes; only whether it is another value counts.
      triggers: field(z.array(z.unknown()).optional(), {
        doc: "Any values. Others than last time issue new ones, before the old ones are ended; the same never do.",
        role: "steering",
        immutable: true,
      }),
      ...result,
      ...lease,
    },
    notes: ({ step, inputs }) => {
      const warning = step === "create" ? fresh.warns?.(knownAmong(inputs)) : undefined;
      return warning === undefined ? [] : [warning];
    },
    where: mounted(fresh.engine, id),
    life: procedure({
      createBeforeDelete: true,
      proceed: (work) => issue(work, fresh, Object.keys(result)),
      refresh: stillKept,
      end: revoked,
      story: {
        proceeds: `A create asks once, and makes ${fresh.makes}. Where its answer is lost, it is open whether they were made: the resource is half made and says so, and never asks again; other \`triggers\` do.`,
        refreshes:
          "A refresh sends nothing: the state is all that is known of them. After `leaseEnds` it says that they may hold no longer.",
        ends: "A delete revokes the lease, in the `real` dialect (`sys/leases/revoke`, for which the token needs the right to update). The specification has no request for it: in the `neutral` one a warning says what stays, and until when.",
      },
    }),
  });
}

/**
 * Asks once.
 * @throws Error where it is open whether anything was made; it is not asked again.
 */
async function issue(work: Work, fresh: Fresh, properties: readonly string[]): Promise<Learnt> {
  const { context, address, inputs, keep, learnt } = work;
  if (learnt.open === true) throw open(fresh, "an earlier answer was lost.");
  const asked = context.connection.runtime.now();
  const { route, body, query } = requestFor(fresh, inputs);
  const { answer, lost } = await sendOnce(context, route, address, body, query);
  if (answer === undefined || (lost && !isSuccess(answer))) {
    keep({ open: true });
    throw open(fresh, `its answer was lost: ${lost?.told}`);
  }
  if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
  const issued = issuedIn(membersOf(answer.json ?? null), properties, asked);
  const missing = fresh.needed.filter((name) => typeof issued[name] !== "string");
  if (missing.length === 0) {
    keep(issued);
    return issued;
  }
  keep({ ...issued, open: true });
  throw open(fresh, `the service answered ${answer.status}, without ${missing.join(" and ")}.`);
}

function issuedIn(members: Learnt, properties: readonly string[], asked: number): Learnt {
  const { lease_id: leaseId, lease_duration: duration, renewable } = members;
  const wires = properties.map((name) => wireName(name, "snake"));
  const kept = wires.flatMap((name) => {
    const value = members[name];
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  const seconds = numberIn(duration) ?? 0;
  const ends = endOf(asked, seconds);
  return {
    ...Object.fromEntries(kept),
    ...(leaseId !== undefined && {
      lease_id: leaseId,
      lease_duration: seconds,
      renewable: renewable === true,
    }),
    ...(leaseId !== undefined && seconds > 0 && ends !== undefined && { lease_ends: ends }),
  };
}

function open({ makes }: Fresh, why: string): Error {
  return new AdvisedError(
    `it is open whether credentials were issued: ${why} They are not asked for again, because each request makes ${makes}.`,
    [edited("change triggers to have new ones issued")],
  );
}

/** Only the clock tells that a lease has ended, and it may have been renewed since. */
async function stillKept({ context, learnt }: Work): Promise<Learnt> {
  const { lease_ends: ends } = learnt;
  if (typeof ends === "string" && Date.parse(ends) <= context.connection.runtime.now()) {
    context.log(
      "warning",
      `the lease of these credentials ended at ${ends}, unless somebody renewed it; to have new ones issued, change triggers`,
    );
  }
  return learnt;
}
