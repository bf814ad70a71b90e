import { z } from "zod";
import { checksByRead, commonFields, define, field, get, object, place, post, replaces } from "../../core";
import { byName, inParentNamespace } from "./mfaMethodByName";
import { methodDeletion, usedMethod } from "./mfaMethodDelete";
import { inNamespace, namespaceField } from "./namespaces";
import { objectsAt, secrets } from "./service";

const methods = "/identity/mfa/method/extidp";
const method = `${methods}/{methodId}`;

/** An Okta MFA method (specification: A3). */
export default define({
  token: "secrets:MfaMethod",
  product: {
    noun: "Okta MFA method",
    terraform: "`vault_identity_mfa_okta`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/identity/mfa/okta",
  },
  doc: "An Okta MFA method. The server would update an existing method of the same name; this resource updates such a method only with `adopt: true`. A method cannot be deleted while a login enforcement uses it.",
  section: "A3. External identity provider MFA method",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    methodName: field(z.string().min(1).optional(), {
      doc: "The unique name of the Okta MFA method.",
      toWrite: "Needs Vault 1.13.0 or later, or OpenBao.",
      wire: "method_name",
      notRestored: true,
    }),
    usernameFormat: field(z.string().optional(), {
      doc: "The template that maps identity names to Okta user names, with placeholders in double braces. If empty, the entity name is used unchanged.",
      empty: "",
    }),
    orgName: field(z.string().min(1), { doc: "The name of the Okta organization." }),
    apiToken: field(z.string().min(1), {
      doc: "The Okta API token.",
      secret: true,
      writeOnly: "every-write",
    }),
    baseUrl: field(z.string().optional(), {
      doc: "The base domain of the Okta API.",
      resetsWhenOmitted: true,
      default: "okta.com",
    }),
    primaryEmail: field(z.boolean().optional(), {
      doc: "Compare the user name only with the primary email address of the Okta account. The server never returns this value.",
      writeOnly: "every-write",
      default: false,
    }),
    methodId: field(z.string().optional(), {
      doc: "The ID of the method (UUID).",
      role: "server's",
      wire: "id",
    }),
    type: field(z.string().optional(), {
      doc: "The type of the method, as the server reports it.",
      role: "server's",
    }),
    namespaceId: field(z.string().optional(), {
      doc: "The ID of the namespace that contains the method.",
      role: "server's",
    }),
  },
  where: place(inNamespace("{methodId}"), { fromResponse: { methodId: "id" } }),
  life: object({
    reads: {
      one: get(method),
      expects: { named: { methodId: "id" } },
      toObject: (data) => (data.name === undefined ? data : { ...data, method_name: data.name }),
      list: { ...objectsAt(methods, "methodId"), whyUnmanageable: inParentNamespace },
    },
    writes: replaces({
      create: post(methods, { expects: ["method_id"] }),
      update: post(method),
      returns: { methodId: "method_id" },
      neverSentBack: ["name", "mount_accessor", "namespace_path"],
    }),
    creation: { existing: checksByRead(byName) },
    deletion: methodDeletion,
    blocked: usedMethod,
  }),
});
