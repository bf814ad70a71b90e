import { z } from "zod";
import {
  checksByRead,
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  merges,
  object,
  place,
  post,
} from "../../core";
import { metadata, policies, SERVER_MEMBERS } from "./identityFields";
import { byName, searchByName } from "./identitySearch";
import { inNamespace, namespaceField } from "./namespaces";
import { keysAt, secrets } from "./service";

const entity = "/identity/entity/id/{entityId}";

/** An entity of the identity engine (API documentation of Vault and OpenBao, identity: entity). */
export default define({
  token: "secrets:Entity",
  product: {
    noun: "identity entity",
    terraform: "`vault_identity_entity`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/identity/entity",
  },
  doc: "An entity: one person or program, with an alias for each of its accounts in auth methods. The server would update an existing entity of the same name; this resource updates such an entity only with `adopt: true`. A delete also deletes its aliases.",
  section: "API: entities",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    name: field(z.string().min(1), {
      doc: "The name of the entity. The server compares it without regard to case.",
      toWrite: "A change renames the entity.",
    }),
    policies: policies("entity"),
    metadata: metadata("Text values by key, for templates of policies. Managed as one unit."),
    disabled: field(z.boolean().optional(), {
      doc: "Disable the entity: its tokens cannot be used. Tokens are not revoked.",
      default: false,
    }),
    entityId: field(z.string().optional(), {
      doc: "The ID of the entity (UUID).",
      role: "server's",
      wire: "id",
    }),
  },
  where: place(inNamespace("{entityId}"), { fromResponse: { entityId: "id" } }),
  life: object({
    reads: {
      one: get(entity),
      byName: byName("entity"),
      expects: { named: { entityId: "id" } },
      list: keysAt("/identity/entity/id"),
    },
    writes: merges({
      create: post("/identity/entity", { expects: ["id"] }),
      update: post(entity),
      returns: { entityId: "id" },
      neverSentBack: [
        ...SERVER_MEMBERS,
        ...["aliases", "direct_group_ids", "group_ids", "inherited_group_ids", "merged_entity_ids"],
        ...["mfa_secrets", "bucket_key_hash"],
      ],
    }),
    creation: { existing: checksByRead(searchByName("entity", "entityId")) },
    deletion: deletes(del(entity)),
  }),
});
