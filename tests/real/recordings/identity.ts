import type { Json } from "../../../provider/core/value/json";
import type { Exchange } from "../../recorded/exchange";

const post = (about: string, path: string, body: Json, keep?: Exchange["keep"]): Exchange => ({
  about: `identity: ${about}`,
  method: "POST",
  path: `/v1/identity/${path}`,
  body,
  ...(keep && { keep }),
});
const get = (about: string, path: string): Exchange => ({
  about: `identity: ${about}`,
  method: "GET",
  path: `/v1/identity/${path}`,
});
const remove = (about: string, path: string): Exchange => ({
  about: `identity: ${about}`,
  method: "DELETE",
  path: `/v1/identity/${path}`,
});
const id = (name: string): Exchange["keep"] => ({ [name]: ["data", "id"] });

/** The requests to the identity engine. */
export const identity: readonly Exchange[] = [
  {
    about: "identity: the auth methods",
    method: "GET",
    path: "/v1/sys/auth/userpass",
    keep: { userpass: ["data", "accessor"] },
  },
  get("an entity that is not there", "entity/name/alice"),
  get("an entity ID that is not there", "entity/id/11111111-2222-3333-4444-555555555555"),
  post(
    "an entity, created",
    "entity",
    { name: "Alice", policies: ["b", "A", "a"], metadata: { team: "web" } },
    id("alice"),
  ),
  get("an entity", "entity/id/{alice}"),
  post("an entity, created again in another case", "entity", { name: "alice", disabled: true }),
  get("an entity by its name", "entity/name/ALICE"),
  post("an entity that is not there, updated", "entity/id/11111111-2222-3333-4444-555555555555", {}),
  post("the policy root of an entity", "entity/id/{alice}", { policies: ["root"] }),
  post("a second entity", "entity", { name: "bob" }, id("bob")),
  post("the name of another entity", "entity/id/{bob}", { name: "Alice" }),
  post("an entity with empty values", "entity/id/{alice}", { policies: [], metadata: {} }),
  get("an entity with empty values, read", "entity/id/{alice}"),
  post(
    "an entity alias, created",
    "entity-alias",
    { name: "alice", mount_accessor: "{userpass}", canonical_id: "{alice}", custom_metadata: { a: "b" } },
    id("alias"),
  ),
  get("an entity alias", "entity-alias/id/{alias}"),
  post("a second alias of an entity", "entity-alias", {
    name: "other",
    mount_accessor: "{userpass}",
    canonical_id: "{alice}",
  }),
  post("an alias in an unknown auth method", "entity-alias", { name: "x", mount_accessor: "none" }),
  post("an alias of an unknown entity", "entity-alias", {
    name: "x",
    mount_accessor: "{userpass}",
    canonical_id: "11111111-2222-3333-4444-555555555555",
  }),
  post("an alias that is not there, updated", "entity-alias/id/11111111-2222-3333-4444-555555555555", {}),
  post("an entity alias, renamed", "entity-alias/id/{alias}", { name: "carol" }),
  get("a renamed entity alias", "entity-alias/id/{alias}"),
  remove("an entity alias, deleted", "entity-alias/id/{alias}"),
  remove("an entity alias, deleted again", "entity-alias/id/{alias}"),
  get("an entity alias that is not there", "entity-alias/id/{alias}"),
  get("a group that is not there", "group/name/web"),
  post(
    "a group, created",
    "group",
    { name: "Web", policies: ["B"], member_entity_ids: ["{alice}"], metadata: { a: "b" } },
    id("web"),
  ),
  get("a group", "group/id/{web}"),
  post("a group, created again in another case", "group", { name: "web", member_entity_ids: [] }),
  get("a group without members", "group/id/{web}"),
  post("the type of a group", "group/id/{web}", { type: "external" }),
  post("an unknown type of a group", "group", { name: "x", type: "other" }),
  post("an unknown member of a group", "group/id/{web}", {
    member_entity_ids: ["11111111-2222-3333-4444-555555555555"],
  }),
  post("a group that is not there, updated", "group/id/11111111-2222-3333-4444-555555555555", {}),
  post("an external group, created", "group", { name: "admins", type: "external" }, id("admins")),
  post("members of an external group", "group/id/{admins}", { member_entity_ids: [] }),
  post(
    "a group alias, created",
    "group-alias",
    { name: "admins", mount_accessor: "{userpass}", canonical_id: "{admins}" },
    id("groupAlias"),
  ),
  get("a group alias", "group-alias/id/{groupAlias}"),
  post("a group alias, created again", "group-alias", {
    name: "admins",
    mount_accessor: "{userpass}",
    canonical_id: "{admins}",
  }),
  post("a group alias without its auth method", "group-alias/id/{groupAlias}", { name: "x" }),
  post("an alias of an internal group", "group-alias", {
    name: "x",
    mount_accessor: "{userpass}",
    canonical_id: "{web}",
  }),
  post(
    "a second alias of a group",
    "group-alias",
    { name: "other", mount_accessor: "{userpass}", canonical_id: "{admins}" },
    id("second"),
  ),
  get("the first alias of a group with a second one", "group-alias/id/{groupAlias}"),
  remove("a group alias, deleted", "group-alias/id/{second}"),
  ...["web", "admins"].map((name) => remove(`the group ${name}, deleted`, `group/id/{${name}}`)),
  ...["alice", "bob"].map((name) => remove(`the entity ${name}, deleted`, `entity/id/{${name}}`)),
  remove("an entity, deleted again", "entity/id/{alice}"),
];
