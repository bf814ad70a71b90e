import { createHash } from "node:crypto";
import { newAuthData } from "./auth/records";
import { NEW_ROLE } from "./cloud/roles";
import { NEW_ENTRY, seededEntry } from "./mounts";
import type { Randomness } from "./randomness";
import { recoveryWith } from "./rekey/records";
import { DEFAULT_MOUNTS, type Seed, type Switches } from "./settings";
import { type MountEntry, type Namespace, newMount, type World } from "./world";

/** Adds a seed to the state; existing namespaces keep their contents. */
export function plant(seed: Seed, world: World, randomness: Randomness, { dialect }: Switches): void {
  for (const [text, token] of Object.entries(seed.tokens)) world.tokens.set(text, token);
  for (const [name, policy] of Object.entries(seed.policies)) world.policies.set(name, policy);
  for (const [name, policy] of Object.entries(seed.passwordPolicies))
    world.passwordPolicies.set(name, policy);
  if (seed.directoryAccounts !== undefined) world.directoryAccounts = seed.directoryAccounts;
  if (seed.identityIds !== undefined) world.identityIds = seed.identityIds;
  if (seed.recoveryKey !== undefined) {
    world.recovery = recoveryWith(seed.recoveryKey.shares, seed.recoveryKey.threshold);
  }
  for (const type of seed.authTypes) world.authTypes.add(type);
  for (const [path, { mounts }] of Object.entries(seed.namespaces)) {
    const namespace = world.namespaces.get(path) ?? newNamespace(path, randomness);
    for (const [mountPath, type] of Object.entries(mounts ?? DEFAULT_MOUNTS[dialect])) {
      if (!namespace.mounts.has(mountPath))
        namespace.mounts.set(mountPath, newMount(type, seededEntry(type, mountPath, namespace)));
    }
    world.namespaces.set(path, namespace);
  }
  const usual = dialect === "real" ? "aws" : "cloud";
  for (const { namespace, mount = usual, name, invalidData } of seed.invalidCloudRoles) {
    const found = world.namespaces.get(namespace)?.mounts.get(mount);
    if (found?.type !== "cloud") throw new Error(`the seed has no cloud engine at ${namespace}/${mount}`);
    found.data.roles.set(name, { ...NEW_ROLE, invalidData });
  }
}

/** A part of the policy that every namespace has from the start, and that cannot be deleted. */
const DEFAULT_POLICY = 'path "auth/token/lookup-self" {\n    capabilities = ["read"]\n}\n';

/** A namespace without engines other than those of every namespace. */
export function newNamespace(path: string, randomness: Randomness): Namespace {
  const id = path === "" ? "root" : randomness.text(5);
  return {
    id,
    path,
    mounts: new Map(),
    authMethods: seededAuthMethods(id),
    authData: newAuthData(),
    methods: new Map(),
    enforcements: new Map(),
    entities: new Map(),
    entityAliases: new Map(),
    groups: new Map(),
    groupAliases: new Map(),
    aclPolicies: new Map([
      ["default", { text: DEFAULT_POLICY, version: 1, casRequired: false, modifiedAt: 0 }],
    ]),
    passwordPolicies: new Map(),
    customMetadata: {},
    uuid: path === "" ? "" : randomness.uuid(),
  };
}

const NO_UUID = "00000000-0000-0000-0000-000000000000";

/** The auth methods that exist from the start. */
function seededAuthMethods(id: string): Map<string, MountEntry> {
  const hash = createHash("sha256").update(id).digest("hex").slice(0, 8);
  return new Map(
    ["userpass", "approle"].map((type) => [
      type,
      { ...NEW_ENTRY, type, accessor: `auth_${type}_${hash}`, uuid: NO_UUID },
    ]),
  );
}
