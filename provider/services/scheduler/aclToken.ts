import { z } from "zod";
import {
  checksByRead,
  commonFields,
  define,
  enumeration,
  field,
  get,
  isGiven,
  object,
  place,
  post,
  replaces,
  rule,
} from "../../core";
import { lifetime, roleIds, tokenDeletion, tokenListing, tokenOfName } from "./aclTokenParts";
import { copiedPlace, goneWith, regionField } from "./copied";
import { inRegion, scheduler } from "./service";

const path = "/acl/token/{accessorId}";

const links = (doc: string, more: object = {}) =>
  field(z.array(z.string().min(1)).optional(), { doc, unordered: true, empty: [], ...more });

const isNone = (policies: unknown, roles: unknown) => !isGiven(policies) && !isGiven(roles);

/** An ACL token (Nomad's API documentation, "ACL Tokens"; Nomad 2.0.5, `nomad/acl_endpoint.go`). */
export default define({
  token: "scheduler:AclToken",
  product: {
    noun: "Nomad ACL token",
    terraform: "`nomad_acl_token`",
    docs: "https://developer.hashicorp.com/nomad/api-docs/acl/tokens",
  },
  doc: "A Nomad ACL token with its secret. The server needs ACLs enabled, and the connection's token needs to be a management token. Nomad chooses the accessor ID, so Quarterdeck finds the token by its name if the response to a create is lost. It therefore does not create a second token of the same name, although Nomad allows it. Nomad has no check-and-set for tokens, so Quarterdeck reads and compares the token just before a write.",
  section: "API: ACL tokens of Nomad",
  service: scheduler,
  fields: {
    ...commonFields,
    name: field(
      z
        .string()
        .min(1)
        .refine((name) => Buffer.byteLength(name) <= 256, "must have at most 256 bytes"),
      { doc: "Name for people, at most 256 bytes. A rename happens in place." },
    ),
    type: field(
      enumeration({
        client: "The token has the permissions of its policies and roles.",
        management: "The token may do everything.",
      }),
      { doc: "Permissions of the token." },
    ),
    policies: links("Names of ACL policies. Nomad does not check that they exist."),
    roles: links("IDs of ACL roles, which must exist.", { spelling: roleIds }),
    global: field(z.boolean().optional(), {
      doc: "Copy the token to all regions. A change replaces the token.",
      default: false,
      immutable: true,
    }),
    expirationTtl: field(z.string().min(1).optional(), {
      doc: "Time until the token expires, such as `24h`: by default 1 minute to 24 hours. If unset, the token does not expire. A change replaces the token.",
      wire: "ExpirationTTL",
      spelling: lifetime,
      immutable: true,
      empty: "",
    }),
    region: regionField,
    accessorId: field(z.string().optional(), {
      doc: "Accessor ID of the token, which Nomad assigns. It is not secret.",
      role: "server's",
      wire: "AccessorID",
    }),
    secretId: field(z.string().optional(), {
      doc: "Secret of the token, which requests send.",
      role: "server's",
      wire: "SecretID",
      secret: true,
    }),
    expirationTime: field(z.string().nullish(), {
      doc: "Time at which the token expires (RFC 3339); not set if it does not expire.",
      role: "server's",
    }),
  },
  rules: [
    rule(
      ["policies", "roles", "type"],
      (policies, roles, type) => type === "client" && isNone(policies, roles),
      "or roles are required if type is client",
    ),
    rule(
      ["type", "policies", "roles"],
      (type, policies, roles) => type === "management" && !isNone(policies, roles),
      "must be client if the token has policies or roles",
    ),
  ],
  where: place("[{region}@]{accessorId}", { ...copiedPlace, fromResponse: { accessorId: "AccessorID" } }),
  life: object({
    reads: {
      one: get(path, { query: inRegion }),
      expects: { named: { accessorId: "AccessorID" } },
      absence: goneWith("ACL token not found"),
      list: tokenListing,
    },
    writes: replaces({
      create: post("/acl/token", { query: inRegion, expects: ["AccessorID", "SecretID"] }),
      update: post(path, { query: inRegion, expects: ["AccessorID", "SecretID"] }),
      // Without these times, Nomad would reject the update or remove the expiration. With a secret, it would create the token
      // again if someone has deleted it.
      completeBody: (body, { current = {} }) => {
        const { AccessorID = "", CreateTime = null, ExpirationTime = null, ExpirationTTL = "" } = current;
        return { ...body, AccessorID, CreateTime, ExpirationTime, ExpirationTTL };
      },
      returns: "object",
      neverSentBack: ["AccessorID", "SecretID", "Hash", "CreateTime", "CreateIndex", "ModifyIndex"],
    }),
    creation: { existing: checksByRead(tokenOfName) },
    deletion: tokenDeletion,
  }),
});
