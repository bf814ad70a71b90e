import {
  checksByReadAndRejection,
  commonFields,
  define,
  del,
  deletes,
  get,
  type HttpResponse,
  merges,
  object,
  place,
  post,
} from "../../core";
import { ALIAS_MEMBERS, aliasFields } from "./identityFields";
import { searchAlias } from "./identitySearch";
import { inNamespace, namespaceField } from "./namespaces";
import { errorsIn, keysAt, secrets } from "./service";

const alias = "/identity/group-alias/id/{aliasId}";

/** True if the server rejected a create because the auth method has an alias of this name. */
const isTaken = (answer: HttpResponse) =>
  answer.status === 400 &&
  errorsIn(answer)?.includes("combination of mount and group alias name is already in use") === true;

/** The alias of an external group (API documentation of Vault and OpenBao, identity: group alias). */
export default define({
  token: "secrets:GroupAlias",
  product: {
    noun: "group alias",
    terraform: "`vault_identity_group_alias`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/identity/group-alias",
  },
  doc: "The alias of an external group: a group in an auth method, whose members are the members of the external group. A group has at most one alias. The server would replace an existing alias of the group; this resource updates such an alias only with `adopt: true`.",
  section: "API: group aliases",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    ...aliasFields("group"),
  },
  where: place(inNamespace("{aliasId}"), { fromResponse: { aliasId: "id" } }),
  life: object({
    reads: {
      one: get(alias),
      expects: { named: { aliasId: "id" } },
      list: keysAt("/identity/group-alias/id"),
    },
    writes: merges({
      create: post("/identity/group-alias", { expects: ["id"] }),
      update: post(alias, { expects: ["id"] }),
      returns: { aliasId: "id" },
      neverSentBack: [...ALIAS_MEMBERS, "custom_metadata"],
    }),
    creation: { existing: checksByReadAndRejection(isTaken, searchAlias("group-alias")) },
    deletion: deletes(del(alias)),
  }),
});
