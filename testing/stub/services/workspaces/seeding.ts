import { isObject, type JsonObject, type JsonValue } from "../../json";
import { teamHolder, userHolder } from "./callers";
import { applyAttributes, blankWorkspace } from "./draft";
import { keepKey } from "./gpg-keys";
import type { Identifiers } from "./identifiers";
import { plantClients } from "./oauth-clients";
import { plantObjects } from "./organization-objects";
import { plantVersion } from "./provider-versions";
import { keepProvider } from "./registry-providers";
import { Organization, type Seed, type Switches, type WorkspaceSeed } from "./settings";
import type { LockHolder, Workspace, World } from "./world";

/** Adds a seed to the state; it changes existing records that it names. */
export function plant(
  seed: Seed,
  world: World,
  switches: Switches,
  identifiers: Identifiers,
  now: number,
): void {
  for (const [token, owner] of Object.entries(seed.tokens)) world.tokens.set(token, owner);
  for (const [name, settings] of Object.entries(seed.organizations)) {
    const before = world.organizations.get(name);
    world.organizations.set(name, Organization.parse({ ...before, ...settings }));
    plantObjects(world, name, now);
    plantClients(world, name, now);
  }
  for (const workspace of seed.workspaces) plantWorkspace(workspace, world, switches, identifiers, now);
  for (const { versions, ...provider } of seed.registryProviders) {
    keepProvider(world, {
      ...provider,
      id: identifiers.fresh("prov"),
      createdAt: now,
      versions: provider.registryName === "private" ? versions : [],
    });
  }
  for (const { namespace, asciiArmor } of seed.gpgKeys) keepKey(world, namespace, asciiArmor, now);
  for (const version of seed.providerVersions) plantVersion(version, world, identifiers, now);
  for (const [name, versions] of Object.entries(seed.publicProviders)) {
    world.publicProviders.set(name, versions);
  }
}

function plantWorkspace(
  seed: WorkspaceSeed,
  world: World,
  switches: Switches,
  identifiers: Identifiers,
  now: number,
): void {
  const organization = world.organizations.get(seed.organization);
  if (organization === undefined) throw new Error(`the seed has no organization ${seed.organization}`);
  const project = seed.project ?? organization.projects[0] ?? "";
  const before =
    world.workspaceByName(seed.organization, seed.name) ??
    applyAttributes(
      {
        ...blankWorkspace(seed.id ?? identifiers.fresh("ws"), seed.organization, project, now, switches),
        accessName: seed.name,
      },
      { name: seed.name },
      organization,
      switches,
    );
  const attributes = asJson(seed.attributes);
  const outputs = seed.outputs?.map(({ name, value, sensitive }) => ({
    id: identifiers.fresh("wsout"),
    name,
    value: asJsonValue(value),
    sensitive,
  }));
  const after = applyAttributes(before, attributes, organization, switches);
  world.workspaces.set(after.id, {
    ...after,
    project: seed.project ?? after.project,
    ...withoutUndefined({
      resourceCount: seed.resourceCount,
      processingUntil: seed.processingUntil,
      currentStateVersion:
        seed.currentStateVersion ??
        (outputs && before.currentStateVersion === null ? identifiers.fresh("sv") : seed.currentStateVersion),
      outputs,
      intermediateStateVersions: seed.intermediateStateVersions,
      currentRun: seed.currentRun,
      observed: seed.observed,
      related: seed.related,
    }),
    lock: nextLock(after, seed),
  });
}

function nextLock(workspace: Workspace, { lockedBy, lockedReason = "" }: WorkspaceSeed): Workspace["lock"] {
  if (lockedBy === undefined) return workspace.lock;
  return lockedBy === null ? null : { holder: holder(lockedBy), reason: lockedReason };
}

function holder(given: NonNullable<WorkspaceSeed["lockedBy"]>): LockHolder {
  if ("user" in given) return userHolder(given.user);
  if ("team" in given) return teamHolder(given.team);
  return { kind: "Run", id: given.run, name: given.run };
}

function asJson(attributes: WorkspaceSeed["attributes"]): JsonObject {
  const json = asJsonValue(attributes ?? {});
  return isObject(json) ? json : {};
}

/** A seed is JSON or an object literal; the round trip reduces it to JSON values. */
function asJsonValue(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null));
}

function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  // Object.fromEntries loses the keys' types; the filter removes only undefined values.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: Exclude<Fields[Key], undefined>;
  };
}
