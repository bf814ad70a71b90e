import { z } from "zod";
import { commonFields, define, del, deletes, field, get, object, place, post, replaces } from "../../core";
import { inNamespace, namespaceField } from "./namespaces";
import { policyText } from "./policyText";
import { errorsIn, keysAt, secrets } from "./service";

const policy = "/sys/policies/password/{+name}";

/** A password policy (API documentation of Vault and OpenBao, `/sys/policies/password`). */
export default define({
  token: "secrets:PasswordPolicy",
  product: {
    noun: "password policy",
    terraform: "`vault_password_policy`",
    docs: "https://developer.hashicorp.com/vault/api-docs/system/policies-password",
  },
  doc: "A password policy: the length and the characters of the passwords that secrets engines generate.",
  section: "API: password policies",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    name: field(z.string().min(1), {
      doc: "The name of the password policy, as engines refer to it.",
      role: "identity",
      location: "address",
    }),
    policy: field(policyText, { doc: "The length and the rules, in HCL or JSON." }),
  },
  where: place(inNamespace("{name}")),
  life: object({
    reads: {
      one: get(policy),
      expects: { always: ["policy"] },
      absence: {
        evidence: "the server returns 404 with the error that the policy does not exist",
        proves: (answer) =>
          answer.status === 404 &&
          (errorsIn(answer) ?? []).some((error) => error.includes("policy does not exist")),
      },
      list: keysAt("/sys/policies/password"),
    },
    writes: replaces(post(policy)),
    deletion: deletes(del(policy)),
  }),
});
