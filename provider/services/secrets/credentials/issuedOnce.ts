import { z } from "zod";
import {
  actionFields,
  type DefinitionBase,
  define,
  field,
  knownAmong,
  type Learnt,
  procedure,
  rule,
  type Work,
} from "../../../core";
import { optionalDuration, secondsIn } from "../durations";
import { mountField, placeOfEngine } from "../mounts";
import { namespaceField } from "../namespaces";
import { secrets } from "../service";
import { dueOf } from "./due";
import type { Fresh } from "./fresh";
import { issue, leftOver } from "./issuing";
import { stillThere } from "./refreshing";
import { renewIfDue } from "./renewing";
import { revokeLease } from "./revoking";

const { outcome: _, triggers: __, ...steering } = actionFields;

/** The lease and wrapping properties that an issue stores in the state. Ids, tokens and accessors are secret. */
const lease = {
  leaseId: field(z.string().optional(), {
    doc: "The id of the lease under which they were made.",
    role: "server's",
    secret: true,
  }),
  leaseDuration: field(z.number().optional(), {
    doc: "Seconds for which they were issued.",
    role: "server's",
  }),
  leaseEnds: field(z.string().optional(), {
    doc: "When the lease ends unless somebody renews it (RFC 3339), by the clock of the machine that asked.",
    role: "server's",
  }),
  renewable: field(z.boolean().optional(), { doc: "Whether the lease can be renewed.", role: "server's" }),
  wrappingToken: field(z.string().optional(), {
    doc: "With `wrapTtl`: the token by which whoever has it unwraps the answer, once.",
    role: "server's",
    secret: true,
  }),
  wrappingAccessor: field(z.string().optional(), {
    doc: "With `wrapTtl`: the accessor of that token, by which it can be looked up and revoked, and not used.",
    role: "server's",
    secret: true,
  }),
  wrappingPath: field(z.string().optional(), {
    doc: "With `wrapTtl`: the path at which the wrapped answer was made; whoever unwraps it can make sure of it.",
    role: "server's",
  }),
  wrappingEnds: field(z.string().optional(), {
    doc: "With `wrapTtl`: when the token ends (RFC 3339), by the clock of the machine that asked.",
    role: "server's",
  }),
} as const;

/** Options for the renewal and the wrapping of the credentials. */
const keeping = {
  renewBefore: optionalDuration({
    doc: "How long before the end of their lease an up sees to them: it renews the lease where it can be renewed, else it issues new ones before the old are revoked; a preview says which. It counts from half of what the lease was given last at the earliest. Default: never.",
    role: "steering",
  }),
  wrapTtl: optionalDuration({
    doc: "How long the answer stays wrapped: the state keeps its wrapping token in place of the credentials. What the token unwraps to, and its lease, only who unwraps it knows. Default: nothing is wrapped.",
    role: "steering",
    immutable: true,
  }),
} as const;

const onlyOneOfThem = rule(
  ["renewBefore", "wrapTtl"],
  (before, wrap) =>
    (secondsIn(before ?? undefined) ?? 0) > 0 && (secondsIn(wrap ?? undefined) ?? 0) > 0
      ? "cannot go with wrapTtl: the lease of what is wrapped is known to who unwraps it alone"
      : undefined,
  "cannot go with `wrapTtl`: the lease of what is wrapped is known to who unwraps it alone",
);

/** Defines a resource that issues an engine's credentials once and stores them. */
export function credentialsResource({
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
      namespace: namespaceField,
      mount: mountField(fresh.engine),
      ...fresh.fields({ immutable: true }),
      ...keeping,
      // Open: the program may use any values; only a change has an effect.
      triggers: field(z.array(z.unknown()).optional(), {
        doc: "Any values, or none. Others than last time issue new ones, before the old ones are ended; the same never do.",
        role: "steering",
        immutable: true,
      }),
      ...result,
      ...lease,
    },
    rules: [onlyOneOfThem],
    notes: ({ step, inputs }) => {
      const warning = step === "create" ? fresh.warns?.(knownAmong(inputs)) : undefined;
      return warning === undefined ? [] : [warning];
    },
    where: placeOfEngine(fresh.engine, id),
    life: procedure({
      createBeforeDelete: true,
      proceed: (work) => issueOrRenew(work, fresh, Object.keys(result)),
      refresh: stillThere,
      end: revokeLease,
      due: dueOf,
      story: {
        proceeds: `A create asks once, and makes ${fresh.makes}. Where its answer is lost, it is open whether they were made: the resource is half made and says so, and never asks again; other \`triggers\` do. With \`renewBefore\` an up near the lease's end renews it (\`sys/leases/renew\`), or, where it cannot be renewed, replaces the resource; [the page on credentials](../credentials.md) says which, and when.`,
        refreshes:
          "A refresh looks the lease up, in the `real` dialect (`sys/leases/lookup`, for which the token needs the right to update): once it is revoked or has ended, the resource is gone, and the next up issues new ones. Where the token may not, and in the `neutral` dialect, whose specification has no request for it, only the clock tells, and the refresh says so. Of what is wrapped it looks the token up (`sys/wrapping/lookup`); that this is no more, because it was unwrapped, leaves the resource as it is.",
        ends: "A delete revokes the lease, in the `real` dialect (`sys/leases/revoke`, for which the token needs the right to update). The specification has no request for it: in the `neutral` one a warning says what stays, and until when. What is wrapped, and was not unwrapped yet, is unwrapped for its lease (`sys/wrapping/unwrap`), which is revoked; of what somebody has unwrapped a warning says that it stays.",
      },
    }),
  });
}

/** Issues credentials that are not issued yet, or renews their lease if that is due. */
async function issueOrRenew(work: Work, fresh: Fresh, properties: readonly string[]): Promise<Learnt> {
  const left = leftOver(work, fresh);
  if (left !== undefined) throw left;
  return Object.keys(work.learnt).length === 0 ? issue(work, fresh, properties) : renewIfDue(work);
}
