import { z } from "zod";
import { commonFields, define, del, deletes, field, get, object, put, replaces } from "../../core";
import { uniqueByName } from "./aclByName";
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

const path = "/acl/role/{roleId}";

/** An ACL role (Consul's API documentation, "ACL Roles"; Consul 1.22.2, `agent/consul/acl_endpoint.go`). */
export default define({
  token: "mesh:AclRole",
  product: {
    noun: "Consul ACL role",
    terraform: "`consul_acl_role`",
    docs: "https://developer.hashicorp.com/consul/api-docs/acl/roles",
  },
  doc: "A Consul ACL role: policies and identities that tokens have by the role's name. The servers need ACLs enabled, and the token needs `acl:write`. Consul has no check-and-set for roles, so Quarterdeck reads and compares the role just before a write. Use an agent of the primary datacenter: other datacenters copy roles with a delay.",
  section: "API: ACL roles of Consul",
  service: mesh,
  fields: {
    ...commonFields,
    name: field(
      z.string().regex(/^[A-Za-z0-9_-]{1,256}$/, "must contain only letters, digits, - and _, at most 256"),
      {
        doc: "Unique name of the role: letters, digits, `-` and `_`, at most 256. Consul compares it without regard to case. A rename happens in place; Consul rejects a change of the case only.",
      },
    ),
    description: descriptionField,
    policies: linksField("policies"),
    ...identityFields,
    ...scopeFields("role"),
    roleId: field(z.string().optional(), {
      doc: "ID of the role, which Consul assigns.",
      role: "server's",
      wire: "ID",
    }),
  },
  where: aclPlace("roleId", "ID"),
  life: object({
    reads: {
      one: get(path, { query }),
      expects: { named: { roleId: "ID", name: "Name" } },
      absence: goneAcl("role"),
      list: aclList("/acl/roles"),
    },
    writes: replaces({
      create: put("/acl/role", { query, expects: ["ID", "Name"] }),
      update: put(path, { query, expects: ["ID", "Name"] }),
      returns: "object",
      neverSentBack: ["ID", ...SERVER_MEMBERS],
    }),
    creation: { existing: uniqueByName("role", "roleId") },
    deletion: deletes(del(path, { query })),
  }),
});
