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
  doc: "An MFA method of the external identity provider. The service would update an existing method of the same name; this resource never does so unasked. A method can be deleted only while no login enforcement uses it.",
  section: "A3. External identity provider MFA method",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    methodName: field(z.string().min(1).optional(), {
      doc: "The method's unique name.",
      toWrite: "From release 1.13.0 of the service.",
      wire: "method_name",
      notRestored: true,
    }),
    usernameFormat: field(z.string().optional(), {
      doc: "How identity names map to user names; placeholders stand in double braces. Blank takes the entity's name as it is.",
      empty: "",
    }),
    orgName: field(z.string().min(1), { doc: "The organization's name at the identity provider." }),
    apiToken: field(z.string().min(1), {
      doc: "The identity provider's API token.",
      secret: true,
      writeOnly: "every-write",
    }),
    baseUrl: field(z.string().optional(), {
      doc: "The base domain for API requests.",
      resetsWhenOmitted: true,
      default: "okta.com",
    }),
    primaryEmail: field(z.boolean().optional(), {
      doc: "Whether only the primary email is matched. The service never shows it.",
      writeOnly: "every-write",
      default: false,
    }),
    methodId: field(z.string().optional(), { doc: "The method's id (UUID).", role: "server's", wire: "id" }),
    type: field(z.string().optional(), {
      doc: "The kind of method, as the service names it.",
      role: "server's",
    }),
    namespaceId: field(z.string().optional(), {
      doc: "The id of the namespace that holds the method.",
      role: "server's",
    }),
  },
  where: place(inNamespace("{methodId}"), { answered: { methodId: "id" } }),
  life: object({
    reads: {
      one: get(method),
      shows: { named: { methodId: "id" } },
      as: (data) => (data.name === undefined ? data : { ...data, method_name: data.name }),
      list: { ...objectsAt(methods, "methodId"), apart: inParentNamespace },
    },
    writes: replaces({
      create: post(methods, { answers: ["method_id"] }),
      update: post(method),
      answer: { methodId: "method_id" },
      neverSentBack: ["name", "mount_accessor", "namespace_path"],
    }),
    creation: { existing: checksByRead(byName) },
    deletion: methodDeletion,
    blocked: usedMethod,
  }),
});
