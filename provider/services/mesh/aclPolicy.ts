import { z } from "zod";
import { commonFields, define, del, deletes, field, get, object, put, replaces } from "../../core";
import { uniqueByName } from "./aclByName";
import { aclList, aclPlace, descriptionField, goneAcl, inScope as query, SERVER_MEMBERS } from "./aclFields";
import { mesh, scopeFields } from "./service";

const path = "/acl/policy/{policyId}";

/** An ACL policy (Consul's API documentation, "ACL Policies"; Consul 1.22.2, `agent/consul/acl_endpoint.go`). */
export default define({
  token: "mesh:AclPolicy",
  product: {
    noun: "Consul ACL policy",
    terraform: "`consul_acl_policy`",
    docs: "https://developer.hashicorp.com/consul/api-docs/acl/policies",
  },
  doc: "A Consul ACL policy: rules that tokens and roles can have. The servers need ACLs enabled, and the token needs `acl:write`. Consul has no check-and-set for policies, so Quarterdeck reads and compares the policy just before a write. Use an agent of the primary datacenter: other datacenters copy policies with a delay.",
  section: "API: ACL policies of Consul",
  service: mesh,
  fields: {
    ...commonFields,
    name: field(
      z
        .string()
        .regex(/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]*)?$/, "must contain only letters, digits, -, _ and one slash")
        .max(128),
      {
        doc: "Unique name of the policy: letters, digits, `-`, `_` and at most one `/`, at most 128. Consul compares it without regard to case. A rename happens in place; Consul rejects a change of the case only.",
      },
    ),
    description: descriptionField,
    rules: field(z.string(), {
      doc: "Rules in HCL or JSON. The text is compared as it is stored.",
    }),
    datacenters: field(z.array(z.string().min(1)).optional(), {
      doc: "Datacenters in which the policy is valid. Default: all.",
      unordered: true,
      empty: [],
    }),
    ...scopeFields("policy"),
    policyId: field(z.string().optional(), {
      doc: "ID of the policy, which Consul assigns.",
      role: "server's",
      wire: "ID",
    }),
  },
  where: aclPlace("policyId", "ID"),
  life: object({
    reads: {
      one: get(path, { query }),
      expects: { named: { policyId: "ID", name: "Name" } },
      absence: goneAcl("policy"),
      list: aclList("/acl/policies"),
    },
    writes: replaces({
      create: put("/acl/policy", { query, expects: ["ID", "Name"] }),
      update: put(path, { query, expects: ["ID", "Name"] }),
      returns: "object",
      neverSentBack: ["ID", ...SERVER_MEMBERS],
    }),
    creation: { existing: uniqueByName("policy", "policyId") },
    deletion: deletes(del(path, { query })),
  }),
});
