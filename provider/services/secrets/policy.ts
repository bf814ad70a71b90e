import { z } from "zod";
import {
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  type Naming,
  numberIn,
  object,
  place,
  post,
  replaces,
  stringIn,
} from "../../core";
import { inNamespace, namespaceField } from "./namespaces";
import { policyText } from "./policyText";
import { keysAt, secrets } from "./service";

const policy = "/sys/policies/acl/{+name}";

/** The policies that the server does not let anyone write. */
const READ_ONLY = ["root", "response-wrapping"];

const policies = keysAt("/sys/policies/acl");

/** Vault and OpenBao store the names of ACL policies in lower case. */
const policyName: Naming = {
  stored: (name) => name.toLowerCase(),
  problem: (name) =>
    READ_ONLY.includes(name.toLowerCase())
      ? "must not be root or response-wrapping: the server rejects writes of these policies"
      : undefined,
};

/** An ACL policy (API documentation of Vault and OpenBao, `/sys/policies/acl`). */
export default define({
  token: "secrets:Policy",
  product: {
    noun: "ACL policy",
    terraform: "`vault_policy`",
    docs: "https://developer.hashicorp.com/vault/api-docs/system/policies",
  },
  doc: "An ACL policy: the paths that a token with this policy may use, and the capabilities on each.",
  section: "API: ACL policies",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    name: field(z.string().min(1), {
      doc: "The name of the policy. The server stores it in lower case.",
      role: "identity",
      location: "address",
    }),
    policy: field(policyText, { doc: "The policy, in HCL or JSON." }),
    version: field(z.number().optional(), {
      doc: "The version of the policy, which each write increments. Only OpenBao 2.3.1 or later returns it.",
      role: "server's",
    }),
  },
  where: place(inNamespace("{name}"), { names: { name: policyName } }),
  life: object({
    reads: {
      one: get(policy),
      expects: { named: { name: "name" } },
      list: {
        ...policies,
        items: (answer) => policies.items(answer).filter((key) => !READ_ONLY.includes(stringIn(key))),
        whyUnmanageable: (key) =>
          stringIn(key) === "default" ? "every namespace has it; to manage it, set adopt: true" : undefined,
      },
    },
    writes: replaces({
      create: post(policy),
      precondition: {
        servers: "OpenBao 2.3.1 or later",
        members(current) {
          if (current === undefined) return { cas: -1 };
          const version = numberIn(current.version);
          return version === undefined ? {} : { cas: version };
        },
      },
      neverSentBack: ["name", "version", "modified"],
    }),
    deletion: deletes(del(policy)),
  }),
});
