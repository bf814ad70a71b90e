import { z } from "zod";
import {
  type DefinitionBase,
  define,
  field,
  knownAmong,
  type ProcedureInput,
  type ProcedureProgress,
  procedure,
  rule,
  writeOnlyFields,
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

/** The lease and wrapping properties that an issue stores in the state. IDs, tokens and accessors are secret. */
const lease = {
  leaseId: field(z.string().optional(), {
    doc: "The ID of the lease, which the `sys/leases` endpoints accept.",
    role: "server's",
    secret: true,
  }),
  leaseDuration: field(z.number().optional(), {
    doc: "The lease duration at the time of issue, in seconds.",
    role: "server's",
  }),
  leaseEnds: field(z.string().optional(), {
    doc: "The time when the lease ends unless it is renewed (RFC 3339), by the clock of the machine that requested it.",
    role: "server's",
  }),
  renewable: field(z.boolean().optional(), { doc: "True if the lease can be renewed.", role: "server's" }),
  wrappingToken: field(z.string().optional(), {
    doc: "With `wrapTtl`: the wrapping token, which unwraps the response once.",
    role: "server's",
    secret: true,
  }),
  wrappingAccessor: field(z.string().optional(), {
    doc: "With `wrapTtl`: the accessor of the wrapping token, which can look the token up or revoke it, but cannot unwrap it.",
    role: "server's",
    secret: true,
  }),
  wrappingPath: field(z.string().optional(), {
    doc: "With `wrapTtl`: the path of the request whose response is wrapped. The recipient can compare it with the `creation_path` of the token before unwrapping.",
    role: "server's",
  }),
  wrappingEnds: field(z.string().optional(), {
    doc: "With `wrapTtl`: the time when the wrapping token expires (RFC 3339), by the clock of the machine that requested it.",
    role: "server's",
  }),
} as const;

/** Options for the renewal and the wrapping of the credentials. */
const keeping = {
  renewBefore: optionalDuration({
    doc: "The remaining lease time below which `pulumi up` renews the lease, or, if it is not renewable, issues new credentials and then revokes the old ones. `renewBefore` has no effect in the first half of the lease. Default: never.",
    role: "steering",
  }),
  wrapTtl: optionalDuration({
    doc: "The TTL of response wrapping: the state stores the wrapping token instead of the credentials and their lease, which only the recipient sees. Default: no wrapping.",
    role: "steering",
    immutable: true,
  }),
} as const;

const onlyOneOfThem = rule(
  ["renewBefore", "wrapTtl"],
  (before, wrap) =>
    (secondsIn(before ?? undefined) ?? 0) > 0 && (secondsIn(wrap ?? undefined) ?? 0) > 0
      ? "cannot be combined with wrapTtl: only the recipient of a wrapped response knows its lease"
      : undefined,
  "cannot be combined with `wrapTtl`: only the recipient of a wrapped response knows its lease",
);

/** Defines a resource that issues an engine's credentials once and stores them. */
export function credentialsResource({
  token,
  product,
  doc,
  id,
  fresh,
}: Pick<DefinitionBase, "token" | "product" | "doc"> & { readonly id: string; readonly fresh: Fresh }) {
  const result = fresh.result({ role: "server's", secret: true });
  return define({
    token,
    ...(product && { product }),
    doc,
    section: fresh.section,
    service: secrets,
    fields: {
      ...writeOnlyFields,
      namespace: namespaceField,
      mount: mountField(fresh.engine),
      ...fresh.fields({ immutable: true }),
      ...keeping,
      // Open: the program may use any values; only a change has an effect.
      triggers: field(z.array(z.unknown()).optional(), {
        doc: "Arbitrary values. Changing them issues new credentials and then revokes the old ones.",
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
      description: {
        proceeds: `A create sends one request, which creates ${fresh.makes}. If the response is lost, Quarterdeck does not know whether credentials were issued. The resource is then partially created: \`pulumi up\` reports this and does not repeat the request. To issue new credentials, change \`triggers\`. With \`renewBefore\`, \`pulumi up\` renews the lease near its end (\`sys/leases/renew\`). If the lease cannot be renewed, \`pulumi up\` replaces the resource: see [credentials](../credentials.md).`,
        refreshes:
          "A refresh looks the lease up (`sys/leases/lookup`, which needs the `update` capability). If the lease was revoked or has ended, the resource is removed from the state, and the next `pulumi up` issues new credentials. Without that capability, and in the `neutral` dialect, Quarterdeck uses the clock and reports that. With `wrapTtl`, a refresh looks the wrapping token up (`sys/wrapping/lookup`). A used or expired wrapping token does not change the resource.",
        ends: "A delete revokes the lease (`sys/leases/revoke`, which needs the `update` capability). The `neutral` dialect cannot revoke leases: a warning reports which credentials remain valid, and until when. With `wrapTtl`, a delete unwraps a response that no one has unwrapped (`sys/wrapping/unwrap`) and revokes its lease. If someone has already unwrapped it, a warning reports that the credentials remain valid.",
      },
    }),
  });
}

/** Issues credentials that are not issued yet, or renews their lease if that is due. */
async function issueOrRenew(
  work: ProcedureInput,
  fresh: Fresh,
  properties: readonly string[],
): Promise<ProcedureProgress> {
  const left = leftOver(work, fresh);
  if (left !== undefined) throw left;
  return Object.keys(work.progress).length === 0 ? issue(work, fresh, properties) : renewIfDue(work);
}
