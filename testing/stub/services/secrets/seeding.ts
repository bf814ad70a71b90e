import { NEW_ROLE } from "./cloud/roles";
import { seededEntry } from "./mounts";
import type { Randomness } from "./randomness";
import { recoveryWith } from "./rekey/records";
import { DEFAULT_MOUNTS, type Seed, type Switches } from "./settings";
import { type Namespace, newMount, type World } from "./world";

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

function newNamespace(path: string, randomness: Randomness): Namespace {
  return {
    id: path === "" ? "root" : randomness.text(5),
    path,
    mounts: new Map(),
    authMethods: new Map(),
    methods: new Map(),
    enforcements: new Map(),
    aclPolicies: new Map([
      ["default", { text: DEFAULT_POLICY, version: 1, casRequired: false, modifiedAt: 0 }],
    ]),
    passwordPolicies: new Map(),
  };
}
