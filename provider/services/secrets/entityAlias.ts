import {
  checksByRead,
  commonFields,
  define,
  del,
  deletes,
  get,
  merges,
  object,
  place,
  post,
} from "../../core";
import { ALIAS_MEMBERS, aliasFields, metadata } from "./identityFields";
import { searchAlias } from "./identitySearch";
import { inNamespace, namespaceField } from "./namespaces";
import { keysAt, secrets } from "./service";

const alias = "/identity/entity-alias/id/{aliasId}";

/** An alias of an entity (API documentation of Vault and OpenBao, identity: entity alias). */
export default define({
  token: "secrets:EntityAlias",
  product: {
    noun: "entity alias",
    terraform: "`vault_identity_entity_alias`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/identity/entity-alias",
  },
  doc: "An alias of an entity: its account in one auth method. An entity has at most one alias for each auth method. The server would update an existing alias of the same name and auth method, which the first login creates; this resource updates such an alias only with `adopt: true`.",
  section: "API: entity aliases",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    ...aliasFields("entity"),
    customMetadata: metadata("Text values by key, for templates of policies. Managed as one unit."),
  },
  where: place(inNamespace("{aliasId}"), { fromResponse: { aliasId: "id" } }),
  life: object({
    reads: {
      one: get(alias),
      expects: { named: { aliasId: "id" } },
      list: keysAt("/identity/entity-alias/id"),
    },
    writes: merges({
      create: post("/identity/entity-alias", { expects: ["id"] }),
      update: post(alias, { expects: ["id"] }),
      returns: { aliasId: "id" },
      neverSentBack: ALIAS_MEMBERS,
    }),
    creation: { existing: checksByRead(searchAlias("entity-alias")) },
    deletion: deletes(del(alias)),
  }),
});
