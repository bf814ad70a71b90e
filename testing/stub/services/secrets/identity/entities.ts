import type { StubResponse } from "../../../service";
import { absent, invalid } from "../errors";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "../operation";
import { aliasEndpoints, shownAlias } from "./aliases";
import { metadataIn, policiesIn } from "./identity-fields";
import type { Entity } from "./records";

/** Entities and their aliases. */
export const entityEndpoints: readonly Endpoint[] = [
  { path: "identity/entity", write: (operation) => write(operation, byName(operation)) },
  { path: "identity/entity/id", list },
  {
    path: "identity/entity/id/:id",
    read: (operation) => read(operation, operation.namespace.entities.get(operation.params.id ?? "")),
    write: (operation) => {
      const entity = operation.namespace.entities.get(operation.params.id ?? "");
      if (entity === undefined) throw invalid("entity not found from id");
      return write(operation, entity);
    },
    remove: ({ namespace, params }) => {
      const id = params.id ?? "";
      namespace.entities.delete(id);
      for (const [key, { owner }] of namespace.entityAliases)
        if (owner === id) namespace.entityAliases.delete(key);
      return NO_CONTENT;
    },
  },
  { path: "identity/entity/name/:text*", read: (operation) => read(operation, byName(operation)) },
  ...aliasEndpoints("entity"),
];

/** Names are compared without regard to case, and stored as written. */
function byName({ namespace, fields, params }: Operation): Entity | undefined {
  const name = (params.text ?? fields.string("name") ?? "").toLowerCase();
  return [...namespace.entities.values()].find((entity) => entity.name.toLowerCase() === name);
}

/** Without an ID, updates the entity of this name or creates one. Omitted fields stay as they are. */
function write(operation: Operation, before: Entity | undefined): StubResponse {
  const { fields, namespace, randomness, request } = operation;
  const named = byName(operation);
  if (before !== undefined && named !== undefined && named.id !== before.id)
    throw invalid("entity name is already in use");
  const entity: Entity = {
    id: before?.id ?? randomness.uuid(),
    name: fields.string("name") || (before?.name ?? `entity_${randomness.text(8)}`),
    policies: policiesIn(fields) ?? before?.policies ?? [],
    disabled: fields.boolean("disabled") ?? before?.disabled ?? false,
    metadata: metadataIn(fields, "metadata") ?? before?.metadata ?? null,
    createdAt: before?.createdAt ?? request.now,
    updatedAt: request.now,
  };
  namespace.entities.set(entity.id, entity);
  if (before !== undefined) return NO_CONTENT;
  return answer(operation, { aliases: null, id: entity.id, name: entity.name });
}

function read(operation: Operation, entity: Entity | undefined): StubResponse {
  const { namespace } = operation;
  if (entity === undefined) throw absent();
  const { id, name, policies, disabled, metadata, createdAt, updatedAt } = entity;
  const groups = [...namespace.groups.values()]
    .filter(({ memberEntityIds }) => memberEntityIds.includes(id))
    .map((group) => group.id);
  const aliases = [...namespace.entityAliases.values()]
    .filter(({ owner }) => owner === id)
    .map((alias) => shownAlias(namespace, alias));
  return answer(operation, {
    aliases,
    creation_time: new Date(createdAt).toISOString(),
    direct_group_ids: groups,
    disabled,
    group_ids: groups,
    id,
    inherited_group_ids: [],
    last_update_time: new Date(updatedAt).toISOString(),
    merged_entity_ids: null,
    metadata,
    name,
    namespace_id: namespace.id,
    policies,
  });
}

function list(operation: Operation): StubResponse {
  const { entities } = operation.namespace;
  if (entities.size === 0) throw absent();
  const info = [...entities.values()].map(({ id, name }) => [id, { name }]);
  return answer(operation, { key_info: Object.fromEntries(info), keys: [...entities.keys()].sort() });
}
