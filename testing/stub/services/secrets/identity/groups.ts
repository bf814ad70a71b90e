import type { StubResponse } from "../../../service";
import { absent, invalid, serverError } from "../errors";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "../operation";
import { aliasEndpoints, shownAlias } from "./aliases";
import { metadataIn, policiesIn } from "./identity-fields";
import type { Group } from "./records";

/** Groups and their aliases. */
export const groupEndpoints: readonly Endpoint[] = [
  { path: "identity/group", write: (operation) => write(operation, byName(operation)) },
  { path: "identity/group/id", list },
  {
    path: "identity/group/id/:id",
    read: (operation) => read(operation, operation.namespace.groups.get(operation.params.id ?? "")),
    write: (operation) => {
      const group = operation.namespace.groups.get(operation.params.id ?? "");
      if (group === undefined) throw invalid("invalid group ID");
      return write(operation, group);
    },
    remove: ({ namespace, params }) => {
      const id = params.id ?? "";
      namespace.groups.delete(id);
      for (const [key, { owner }] of namespace.groupAliases)
        if (owner === id) namespace.groupAliases.delete(key);
      return NO_CONTENT;
    },
  },
  { path: "identity/group/name/:text*", read: (operation) => read(operation, byName(operation)) },
  ...aliasEndpoints("group"),
];

function byName({ namespace, fields, params }: Operation): Group | undefined {
  const name = (params.text ?? fields.string("name") ?? "").toLowerCase();
  return [...namespace.groups.values()].find((group) => group.name.toLowerCase() === name);
}

/** Without an ID, updates the group of this name or creates one. Omitted fields stay as they are. */
function write(operation: Operation, before: Group | undefined): StubResponse {
  const { fields, namespace, randomness, request } = operation;
  const policies = policiesIn(fields);
  const type = fields.string("type") ?? before?.type ?? "internal";
  if (before !== undefined && type !== before.type) throw invalid("group type cannot be changed");
  if (type !== "internal" && type !== "external") throw invalid(`invalid group type ${JSON.stringify(type)}`);
  const named = byName(operation);
  if (before !== undefined && named !== undefined && named.id !== before.id)
    throw invalid("group name is already in use");
  if (type === "external" && fields.has("member_entity_ids"))
    throw invalid("member entities can't be set manually for external groups");
  if (type === "external" && fields.has("member_group_ids"))
    throw invalid("member groups can't be set for external groups");
  const memberEntityIds = once(fields.list("member_entity_ids")) ?? before?.memberEntityIds ?? null;
  const memberGroupIds = once(fields.list("member_group_ids")) ?? before?.memberGroupIds ?? [];
  const unknownEntity = memberEntityIds?.find((id) => !namespace.entities.has(id));
  if (unknownEntity !== undefined) throw serverError(`invalid entity ID ${JSON.stringify(unknownEntity)}`);
  const unknownGroup = memberGroupIds.find((id) => !namespace.groups.has(id));
  if (unknownGroup !== undefined) throw serverError(`invalid group ID ${JSON.stringify(unknownGroup)}`);
  const group: Group = {
    id: before?.id ?? randomness.uuid(),
    name: fields.string("name") || (before?.name ?? `group_${randomness.text(8)}`),
    type,
    policies: policies ?? before?.policies ?? [],
    metadata: metadataIn(fields, "metadata") ?? before?.metadata ?? null,
    memberEntityIds: memberEntityIds ?? [],
    memberGroupIds,
    index: (before?.index ?? 0) + 1,
    createdAt: before?.createdAt ?? request.now,
    updatedAt: request.now,
  };
  namespace.groups.set(group.id, group);
  if (before !== undefined) return NO_CONTENT;
  return answer(operation, { id: group.id, name: group.name });
}

/** IDs as the server stores them: sorted, and each once (OpenBao 2.5.5). */
const once = (ids: readonly string[] | undefined) => ids && [...new Set(ids.map((id) => id.trim()))].sort();

function read(operation: Operation, group: Group | undefined): StubResponse {
  const { namespace } = operation;
  if (group === undefined) throw absent();
  const { id, name, type, policies, metadata, memberEntityIds, memberGroupIds, index } = group;
  const alias = [...namespace.groupAliases.values()].find(({ owner }) => owner === id);
  const parents = [...namespace.groups.values()].filter((parent) => parent.memberGroupIds.includes(id));
  return answer(operation, {
    alias: alias === undefined ? {} : shownAlias(namespace, alias),
    creation_time: new Date(group.createdAt).toISOString(),
    id,
    last_update_time: new Date(group.updatedAt).toISOString(),
    member_entity_ids: memberEntityIds,
    member_group_ids: memberGroupIds.length === 0 ? null : memberGroupIds,
    metadata,
    modify_index: index,
    name,
    namespace_id: namespace.id,
    parent_group_ids: parents.length === 0 ? null : parents.map((parent) => parent.id),
    policies,
    type,
  });
}

function list(operation: Operation): StubResponse {
  const { groups } = operation.namespace;
  if (groups.size === 0) throw absent();
  const info = [...groups.values()].map(({ id, name, memberEntityIds }) => [
    id,
    { name, num_member_entities: memberEntityIds.length, num_parent_groups: 0 },
  ]);
  return answer(operation, { key_info: Object.fromEntries(info), keys: [...groups.keys()].sort() });
}
