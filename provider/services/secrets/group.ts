import { z } from "zod";
import {
  checksByRead,
  commonFields,
  define,
  del,
  deletes,
  enumeration,
  field,
  get,
  isWritten,
  merges,
  object,
  place,
  post,
  rule,
} from "../../core";
import { metadata, policies, SERVER_MEMBERS } from "./identityFields";
import { byName, searchByName } from "./identitySearch";
import { inNamespace, namespaceField } from "./namespaces";
import { keysAt, secrets } from "./service";

const group = "/identity/group/id/{groupId}";

const groupType = enumeration({
  internal: "Its members are set here.",
  external: "Its members come from a group of an auth method, through a group alias.",
});

const members = (what: string) =>
  field(z.array(z.string().min(1)).optional(), {
    doc: `The IDs of the ${what} that have the policies of this group.`,
    toWrite: "Only for internal groups.",
    unordered: true,
    empty: [],
  });

const onlyInternal = (name: string) =>
  rule(
    [name, "type"],
    (ids, type) => type === "external" && isWritten(ids),
    'must not be set with `type: "external"`',
  );

/** A group of the identity engine (API documentation of Vault and OpenBao, identity: group). */
export default define({
  token: "secrets:Group",
  product: {
    noun: "identity group",
    terraform: "`vault_identity_group`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/identity/group",
  },
  doc: "A group of entities and groups, whose policies its members have. The server would update an existing group of the same name; this resource updates such a group only with `adopt: true`. A delete also deletes its alias.",
  section: "API: groups",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    name: field(z.string().min(1), {
      doc: "The name of the group. The server compares it without regard to case.",
      toWrite: "A change renames the group.",
    }),
    type: field(groupType.optional(), {
      doc: "The source of the members.",
      default: "internal",
      immutable: true,
    }),
    policies: policies("group"),
    metadata: metadata("Text values by key. Managed as one unit."),
    memberEntityIds: members("entities"),
    memberGroupIds: members("groups"),
    groupId: field(z.string().optional(), {
      doc: "The ID of the group (UUID).",
      role: "server's",
      wire: "id",
    }),
  },
  rules: [onlyInternal("memberEntityIds"), onlyInternal("memberGroupIds")],
  where: place(inNamespace("{groupId}"), { fromResponse: { groupId: "id" } }),
  life: object({
    reads: {
      one: get(group),
      byName: byName("group"),
      expects: { named: { groupId: "id" } },
      list: keysAt("/identity/group/id"),
    },
    writes: merges({
      create: post("/identity/group", { expects: ["id"] }),
      update: post(group),
      returns: { groupId: "id" },
      neverSentBack: [...SERVER_MEMBERS, "alias", "modify_index", "parent_group_ids"],
    }),
    creation: { existing: checksByRead(searchByName("group", "groupId")) },
    deletion: deletes(del(group)),
  }),
});
