import fc from "fast-check";
import { parseRecords } from "../../../provider/core/state/records";
import { isObject, type Json } from "../../../provider/core/value/json";
import entity from "../../../provider/services/secrets/entity";
import entityAlias from "../../../provider/services/secrets/entityAlias";
import group from "../../../provider/services/secrets/group";
import groupAlias from "../../../provider/services/secrets/groupAlias";
import { RejectedRequest } from "../rejectedRequest";
import type { Resource } from "../resource";
import type { Subject } from "../subject";
import type { World } from "../world";
import { defined, maybe } from "./arbitraries";
import { read, secretsWorld, take, wireOf, write } from "./secretsScene";

/** The path by the state, or of the only object of this kind if the state contains none. */
async function pathOf(world: World, { outputs }: Resource, kind: string, part: string): Promise<string> {
  const at = `identity/${kind}/id`;
  const known = parseRecords(outputs)?.address[part];
  if (known !== undefined) return `${at}/${known}`;
  const { json } = await world.send("LIST", `/v1/${at}`, undefined, { "x-secrets-token": "root" });
  const keys = isObject(json ?? null) && isObject((json as { data?: Json }).data ?? null);
  const [only] = keys ? (json as { data: { keys: string[] } }).data.keys : [];
  if (only === undefined) throw new RejectedRequest(404, "there is none");
  return `${at}/${only}`;
}

/** How another user changes and deletes an object of this kind. */
function byOthers(kind: string, part: string): Pick<Subject, "edit" | "takeAway" | "createTakes"> {
  return {
    edit: async (world, resource, { property, value }) => {
      await write(world, await pathOf(world, resource, kind, part), { [wireOf(property)]: value });
    },
    takeAway: async (world, resource) => take(world, await pathOf(world, resource, kind, part)),
    createTakes: () => ["GET", "POST", "GET"],
  };
}

const policies = maybe(fc.constantFrom(["app"], ["App", "web"], ["web", "app"], []));
const metadata = maybe(fc.constantFrom<Json>({ team: "web" }, { team: "web", tier: "gold" }, {}));
const edits = fc.oneof(
  fc.record({
    property: fc.constant("policies"),
    value: fc.constantFrom<Json>(["theirs"], ["app", "web"], []),
  }),
  fc.record({
    property: fc.constant("metadata"),
    value: fc.constantFrom<Json>({ team: "theirs" }, { team: "theirs", tier: "gold" }),
  }),
);

/** The entity `app`. */
const entitySubject: Subject = {
  definition: entity,
  world: () => secretsWorld(entity),
  programs: fc
    .record({ name: fc.constant("app"), policies, metadata, disabled: maybe(fc.boolean()) })
    .map(defined),
  edits: fc.oneof(edits, fc.record({ property: fc.constant("disabled"), value: fc.boolean() })),
  ...byOthers("entity", "entityId"),
};

/** The group `app`. */
const groupSubject: Subject = {
  definition: group,
  world: () => secretsWorld(group),
  programs: fc
    .record({ name: fc.constant("app"), policies, metadata, type: maybe(fc.constant("internal")) })
    .map(defined),
  edits,
  ...byOthers("group", "groupId"),
};

/** An alias in the userpass auth method, and the object that it belongs to. */
function aliasSubject(
  definition: typeof entityAlias | typeof groupAlias,
  kind: "entity" | "group",
  more: Readonly<Record<string, fc.Arbitrary<Json | undefined>>>,
): Subject {
  return {
    definition,
    async world() {
      const world = await secretsWorld(definition);
      await write(world, `identity/${kind}`, { name: "app", ...(kind === "group" && { type: "external" }) });
      return world;
    },
    programs: fc
      .record({
        name: fc.constantFrom("alice", "bob"),
        mountAccessor: fc.constant("auth_userpass_4813494d"),
        canonicalId: fc.constant(FIRST_ID),
        ...more,
      })
      .map(defined),
    edits: fc.record({ property: fc.constant("name"), value: fc.constantFrom("theirs", "alice") }),
    ...byOthers(`${kind}-alias`, "aliasId"),
    edit: async (world, resource, { property, value }) => {
      const path = await pathOf(world, resource, `${kind}-alias`, "aliasId");
      const { name, mount_accessor, canonical_id } = await read(world, path);
      const all = {
        name: name ?? "",
        mount_accessor: mount_accessor ?? "",
        canonical_id: canonical_id ?? "",
      };
      await write(world, path, { ...all, [wireOf(property)]: value });
    },
  };
}

/** The ID that a fresh stub gives its first object. */
const FIRST_ID = "7bf71b3e-e29d-13f8-5ab6-00df3684c85b";

export const identitySubjects: readonly Subject[] = [
  entitySubject,
  aliasSubject(entityAlias, "entity", {
    customMetadata: maybe(fc.constantFrom<Json>({ team: "web" }, {})),
  }),
  groupSubject,
  aliasSubject(groupAlias, "group", {}),
];
