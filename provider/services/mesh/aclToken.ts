import { z } from "zod";
import {
  ActionableError,
  checksByReadAndRejection,
  commonFields,
  define,
  del,
  deletes,
  durationAsText,
  field,
  get,
  isObject,
  type Json,
  manualCheck,
  type Observation,
  object,
  put,
  replaces,
} from "../../core";
import {
  aclList,
  aclPlace,
  descriptionField,
  goneAcl,
  identityFields,
  linksField,
  inScope as query,
  SERVER_MEMBERS,
} from "./aclFields";
import { mesh, scopeFields } from "./service";

const path = "/acl/token/{accessorId}";

/** The secret that Consul returns to a token with `acl:read` only. */
const HIDDEN = "<hidden>";

/** @throws ActionableError if Consul hides the secret: the outputs must not lose it. */
function withSecret(body: Observation["body"]): Observation["body"] {
  if (body.SecretID !== HIDDEN) return { ...body, ExpirationTime: body.ExpirationTime ?? null };
  throw new ActionableError(
    "Consul hides the secret of the ACL token: the connection's token needs acl:write.",
    [manualCheck("Give the token acl:write.")],
  );
}

/** An ACL token (Consul's API documentation, "ACL Tokens"; Consul 1.22.2, `agent/consul/auth/token_writer.go`). */
/** Why a program cannot manage a token: Consul creates the anonymous token itself, with a reserved ID. */
const whyReserved = (token: Json) =>
  isObject(token) && String(token.AccessorID).startsWith("00000000-0000-0000-0000-")
    ? "Consul creates this token itself, and rejects its ID in a create"
    : undefined;

export default define({
  token: "mesh:AclToken",
  product: {
    noun: "Consul ACL token",
    terraform: "`consul_acl_token`",
    docs: "https://developer.hashicorp.com/consul/api-docs/acl/tokens",
  },
  doc: "A Consul ACL token with its secret. The servers need ACLs enabled, and the connection's token needs `acl:write`. Consul has no check-and-set for tokens, so Quarterdeck reads and compares the token just before a write. The program chooses the accessor ID, so that Quarterdeck finds its own token if the response to a create is lost.",
  section: "API: ACL tokens of Consul",
  service: mesh,
  fields: {
    ...commonFields,
    accessorId: field(
      z
        .string()
        .regex(
          /^(?!00000000-0000-0000-0000-)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
          "must be a UUID in lower case that does not start with 00000000-0000-0000-0000",
        ),
      {
        doc: "Accessor ID of the token: a UUID in lower case, which you choose once, for example with `uuidgen`. It is not secret.",
        role: "identity",
        wire: "AccessorID",
      },
    ),
    description: descriptionField,
    policies: linksField("policies"),
    roles: linksField("roles"),
    ...identityFields,
    local: field(z.boolean().optional(), {
      doc: "Restrict the token to the datacenter of the agent; other datacenters do not copy it.",
      default: false,
      immutable: true,
    }),
    expirationTtl: field(z.string().min(1).optional(), {
      doc: "Time until Consul deletes the token, such as `24h`: by default 1 minute to 24 hours. A change applies only to a new token: the token keeps its time if this is changed or removed.",
      wire: "ExpirationTTL",
      writeOnly: "create-only",
      spelling: durationAsText,
    }),
    ...scopeFields("token"),
    secretId: field(z.string().optional(), {
      doc: "Secret of the token, which requests send.",
      role: "server's",
      wire: "SecretID",
      secret: true,
    }),
    expirationTime: field(z.string().nullish(), {
      doc: "Time at which Consul deletes the token (RFC 3339); not set if it does not expire.",
      role: "server's",
    }),
  },
  where: aclPlace("accessorId", "AccessorID"),
  life: object({
    reads: {
      one: get(path, { query }),
      expects: { named: { accessorId: "AccessorID" } },
      toObject: withSecret,
      absence: {
        evidence: 'Consul returns "token does not exist: ACL not found"',
        proves: (answer, context, address) =>
          (answer.status === 403 && answer.text.trim() === "token does not exist: ACL not found") ||
          goneAcl("token").proves(answer, context, address),
      },
      list: { ...aclList("/acl/tokens"), whyUnmanageable: whyReserved },
    },
    writes: replaces({
      create: put("/acl/token", { query, expects: ["AccessorID", "SecretID"] }),
      update: put(path, { query, expects: ["AccessorID", "SecretID"] }),
      returns: "object",
      // Consul rejects a time to live in an update, also an equal one.
      completeBody: ({ ExpirationTTL: _, ...body }) => body,
      // An update keeps the times and the auth method of a token.
      neverSentBack: [
        ...["AccessorID", "SecretID", "CreateTime", "ExpirationTime", "AuthMethod", "Legacy"],
        ...SERVER_MEMBERS,
      ],
    }),
    creation: {
      existing: checksByReadAndRejection(
        ({ status, text }) => status === 500 && text.trim() === "Invalid Token: AccessorID is already in use",
      ),
    },
    deletion: deletes(del(path, { query })),
  }),
});
