import type { StubResponse } from "../../../service";
import { absent, invalid } from "../errors";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "../operation";
import type { Namespace } from "../world";
import { metadataIn } from "./identity-fields";
import type { IdentityAlias } from "./records";

type Kind = "entity" | "group";

/** The aliases of entities or of groups. */
export function aliasEndpoints(kind: Kind): readonly Endpoint[] {
  const path = `identity/${kind}-alias`;
  return [
    {
      path,
      write: (operation) =>
        kind === "entity" ? writeEntityAlias(operation, undefined) : writeGroupAlias(operation, undefined),
    },
    { path: `${path}/id`, list: (operation) => list(operation, kind) },
    {
      path: `${path}/id/:id`,
      read: (operation) => answer(operation, shownAlias(operation.namespace, aliasAt(operation, kind))),
      write: (operation) => {
        const alias = aliases(operation.namespace, kind).get(operation.params.id ?? "");
        if (alias === undefined)
          throw invalid(kind === "entity" ? "invalid alias ID provided" : "invalid group alias ID");
        return kind === "entity" ? writeEntityAlias(operation, alias) : writeGroupAlias(operation, alias);
      },
      remove: ({ namespace, params }) => {
        aliases(namespace, kind).delete(params.id ?? "");
        return NO_CONTENT;
      },
    },
  ];
}

const aliases = ({ entityAliases, groupAliases }: Namespace, kind: Kind) =>
  kind === "entity" ? entityAliases : groupAliases;

function aliasAt({ namespace, params }: Operation, kind: Kind): IdentityAlias {
  const alias = aliases(namespace, kind).get(params.id ?? "");
  if (alias === undefined) throw absent();
  return alias;
}

/** The auth method with this accessor. */
function mountOf({ authMethods }: Namespace, accessor: string): readonly [string, string] | undefined {
  const found = [...authMethods].find(([, entry]) => entry.accessor === accessor);
  return found && [`auth/${found[0]}/`, found[1].type];
}

const isSame = (one: IdentityAlias, name: string, accessor: string) =>
  one.name.toLowerCase() === name.toLowerCase() && one.accessor === accessor;

/** Creates an alias, or updates the one with this name and auth method. An entity has one alias for each auth method. */
function writeEntityAlias(operation: Operation, known: IdentityAlias | undefined): StubResponse {
  const { fields, namespace, randomness, request } = operation;
  const { entities, entityAliases } = namespace;
  const name = fields.string("name") || known?.name;
  const accessor = fields.string("mount_accessor") || known?.accessor;
  if (name === undefined || accessor === undefined)
    throw invalid("'id' or 'mount_accessor' and 'name' must be provided");
  if (mountOf(namespace, accessor) === undefined)
    throw invalid(`invalid mount accessor ${JSON.stringify(accessor)}`);
  const same = [...entityAliases.values()].find((alias) => isSame(alias, name, accessor));
  if (known !== undefined && same !== undefined && same.id !== known.id)
    throw invalid("alias with combination of mount accessor and name already exists");
  const before = known ?? same;
  const given = fields.string("canonical_id") ?? "";
  if (given !== "" && !entities.has(given)) throw invalid("invalid canonical ID");
  const owner = given || (before?.owner ?? newEntity(operation));
  const others = [...entityAliases.values()].filter(({ id }) => id !== before?.id);
  if (others.some((alias) => alias.owner === owner && alias.accessor === accessor))
    throw invalid("Alias already exists for requested entity and mount accessor");
  // A request without an ID resets the metadata that it omits.
  const kept = known === undefined ? (before === undefined ? {} : null) : known.customMetadata;
  const after: IdentityAlias = {
    id: before?.id ?? randomness.uuid(),
    name,
    accessor,
    owner,
    customMetadata: metadataIn(fields, "custom_metadata") ?? kept,
    createdAt: before?.createdAt ?? request.now,
    updatedAt: request.now,
  };
  entityAliases.set(after.id, after);
  return answer(operation, { canonical_id: owner, id: after.id });
}

function newEntity({ namespace, randomness, request }: Operation): string {
  const id = randomness.uuid();
  const [createdAt, updatedAt] = [request.now, request.now];
  const name = `entity_${randomness.text(8)}`;
  namespace.entities.set(id, {
    id,
    name,
    policies: [],
    disabled: false,
    metadata: null,
    createdAt,
    updatedAt,
  });
  return id;
}

/** Creates an alias. A group has one alias: a second one takes its place. */
function writeGroupAlias(operation: Operation, before: IdentityAlias | undefined): StubResponse {
  const { fields, namespace, randomness, request } = operation;
  const { groups, groupAliases } = namespace;
  const name = fields.string("name") ?? "";
  const accessor = fields.string("mount_accessor") ?? "";
  if (name === "") throw invalid("missing alias name");
  if (accessor === "") throw invalid("missing mount_accessor");
  if (mountOf(namespace, accessor) === undefined)
    throw invalid(`invalid mount accessor ${JSON.stringify(accessor)}`);
  const same = [...groupAliases.values()].find((alias) => isSame(alias, name, accessor));
  if (same !== undefined && same.id !== before?.id)
    throw invalid("combination of mount and group alias name is already in use");
  const owner = fields.string("canonical_id") || (before?.owner ?? "");
  const group = groups.get(owner);
  if (group === undefined) throw invalid("invalid group ID given in 'canonical_id'");
  if (group.type !== "external") throw invalid("alias can't be set on an internal group");
  for (const [id, alias] of groupAliases)
    if (alias.owner === owner && id !== before?.id) groupAliases.delete(id);
  const alias: IdentityAlias = {
    id: before?.id ?? randomness.uuid(),
    name,
    accessor,
    owner,
    customMetadata: null,
    createdAt: before?.createdAt ?? request.now,
    updatedAt: request.now,
  };
  groupAliases.set(alias.id, alias);
  return answer(operation, { canonical_id: owner, id: alias.id });
}

/** An alias as a read returns it. */
export function shownAlias(namespace: Namespace, alias: IdentityAlias): object {
  return {
    ...summary(namespace, alias),
    creation_time: new Date(alias.createdAt).toISOString(),
    id: alias.id,
    last_update_time: new Date(alias.updatedAt).toISOString(),
    merged_from_canonical_ids: null,
    namespace_id: namespace.id,
  };
}

function summary(namespace: Namespace, { name, accessor, owner, customMetadata }: IdentityAlias): object {
  const [path, type] = mountOf(namespace, accessor) ?? ["", ""];
  return {
    canonical_id: owner,
    custom_metadata: customMetadata,
    local: false,
    metadata: null,
    mount_accessor: accessor,
    mount_path: path,
    mount_type: type,
    name,
  };
}

function list(operation: Operation, kind: Kind): StubResponse {
  const { namespace } = operation;
  const all = aliases(namespace, kind);
  if (all.size === 0) throw absent();
  const info = [...all].map(([id, alias]) => [id, summary(namespace, alias)]);
  return answer(operation, { key_info: Object.fromEntries(info), keys: [...all.keys()].sort() });
}
