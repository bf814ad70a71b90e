import type { Procedure } from "../../provider/core/language/lifecycles";
import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import cloudCredentials from "../../provider/services/secrets/cloudCredentials";
import directoryCredentials from "../../provider/services/secrets/directoryCredentials";
import libraryCheckOut from "../../provider/services/secrets/libraryCheckOut";
import queueCredentials from "../../provider/services/secrets/queueCredentials";
import recoveryKeyRekey from "../../provider/services/secrets/recoveryKeyRekey";
import recoveryKeyVerification from "../../provider/services/secrets/recoveryKeyVerification";
import agentToken from "../../provider/services/workspaces/agentToken";
import { digestOfDirectory } from "../../provider/services/workspaces/configurationDirectory";
import configurationVersion from "../../provider/services/workspaces/configurationVersion";
import run from "../../provider/services/workspaces/run";
import { INITIAL_SHARES } from "../../testing/stub/services/secrets/rekey/records";
import { Resource } from "./resource";
import { WORKSPACE_ID, workspaceWorld } from "./subjects/ofWorkspace";
import { secretsWorld as worldOf } from "./subjects/secretsScene";
import type { World } from "./world";

/** A procedure with everything that its property tests need. */
export interface Trial {
  readonly definition: Definition<Procedure>;
  /** It is requested once, and after a lost response its outcome stays unknown. */
  readonly staysOpen?: boolean;
  /** Its first write has no effect of its own, so nothing is read after a lost response to it. */
  readonly startsWithoutEffect?: boolean;
  /** A new mock server, and a program that completes. */
  scene(): Promise<{ readonly world: World; readonly program: Values }>;
}

/** A directory with a Terraform configuration. */
export const CONFIGURATION = "tests/steps/configuration";

const rekey = { secretShares: 3, secretThreshold: 2, shares: INITIAL_SHARES.slice(0, 2) };

/** A rekey that leaves a backup of its new shares. */
export const backedUpRekey: Values = {
  ...rekey,
  pgpKeys: [btoa("first"), btoa("second"), btoa("third")],
  backup: true,
  requireVerification: false,
};

/** A world in the neutral dialect; tests of the real dialect configure it themselves. */
const secretsWorld: typeof worldOf = (definition, before) => worldOf(definition, before, "neutral");

const list: readonly Trial[] = [
  {
    definition: queueCredentials,
    staysOpen: true,
    scene: async () => ({
      world: await secretsWorld(queueCredentials, {
        "msgq/config/connection": { connection_uri: "http://broker", username: "admin", password: "hush" },
        "msgq/roles/app": { tags: "monitoring" },
      }),
      program: { name: "app" },
    }),
  },
  {
    definition: cloudCredentials,
    staysOpen: true,
    scene: async () => ({
      world: await secretsWorld(cloudCredentials, {
        "cloud/config/root": { access_key: "AKIA", secret_key: "hush" },
        "cloud/roles/app": { credential_type: "iam_user", policy_arns: "arn:aws:iam::aws:policy/x" },
      }),
      program: { name: "app" },
    }),
  },
  {
    definition: directoryCredentials,
    staysOpen: true,
    scene: async () => ({
      world: await secretsWorld(directoryCredentials, {
        "ldap/config": { binddn: "cn=admin", bindpass: "hush" },
        "ldap/role/app": {
          creation_ldif: "dn: cn={{.Username}}\nchangetype: add",
          deletion_ldif: "dn: cn={{.Username}}\nchangetype: delete",
        },
      }),
      program: { roleName: "app" },
    }),
  },
  {
    definition: agentToken,
    staysOpen: true,
    scene: async () => ({
      world: workspaceWorld(agentToken),
      program: { agentPoolId: "apool-general", description: "of the cluster" },
    }),
  },
  { definition: libraryCheckOut, scene: () => borrowing({ setName: "ops" }) },
  {
    definition: recoveryKeyRekey,
    scene: async () => ({ world: await secretsWorld(recoveryKeyRekey), program: rekey }),
  },
  {
    definition: recoveryKeyVerification,
    scene: async () => verifying(await secretsWorld(recoveryKeyVerification)),
  },
  {
    definition: run,
    scene: async () => ({ world: workspaceWorld(run), program: { workspaceId: WORKSPACE_ID } }),
  },
  {
    definition: configurationVersion,
    startsWithoutEffect: true,
    scene: async () => ({
      world: workspaceWorld(configurationVersion),
      program: {
        workspaceId: WORKSPACE_ID,
        directory: CONFIGURATION,
        sha256: digestOfDirectory(CONFIGURATION),
      },
    }),
  },
];

/** A server that accepts rekey requests only with a token, as OpenBao 2.5 does by default. */
function withToken(world: World): World {
  world.stub.configure({ rekey: "authenticated" });
  return world;
}

async function verifying(world: World) {
  const before = new Resource(world.another(), recoveryKeyRekey);
  await before.create(rekey);
  const { nonce, keysBase64 } = before.outputs;
  return { world, program: { rekeyNonce: nonce ?? "", shares: keysBase64 ?? [] } };
}

async function borrowing(program: Values) {
  const world = await secretsWorld(libraryCheckOut, {
    "ldap/config": { binddn: "cn=admin", bindpass: "hush" },
    "ldap/library/ops": { service_account_names: ["svc-1", "svc-2"], ttl: 3600 },
  });
  return { world, program };
}

/** Procedures that use different requests than those in the list. */
export const otherWays: readonly (readonly [string, Trial])[] = [
  [
    "secrets:RecoveryKeyRekey, backed up",
    {
      definition: recoveryKeyRekey,
      scene: async () => ({
        world: await secretsWorld(recoveryKeyRekey),
        program: backedUpRekey,
      }),
    },
  ],
  [
    "secrets:RecoveryKeyRekey, with a token",
    {
      definition: recoveryKeyRekey,
      scene: async () => ({ world: withToken(await secretsWorld(recoveryKeyRekey)), program: rekey }),
    },
  ],
  [
    "secrets:RecoveryKeyVerification, with a token",
    {
      definition: recoveryKeyVerification,
      scene: async () => verifying(withToken(await secretsWorld(recoveryKeyVerification))),
    },
  ],
  [
    "secrets:LibraryCheckOut, managed",
    { definition: libraryCheckOut, scene: () => borrowing({ setName: "ops", manage: true }) },
  ],
];

/** Every procedure, by its token; a test compares the list with the catalog. */
export const procedures: readonly (readonly [string, Trial])[] = list.map((trial) => [
  trial.definition.token,
  trial,
]);

/**
 * Runs a procedure to its end in three ups; the first creates it if it is not in the state. If an up asks for
 * `adopt: true`, the program sets it.
 * @returns the final program
 */
export async function endedInUps(resource: Resource, program: Values): Promise<Values> {
  let written = program;
  for (let tries = 0; tries < 3; tries++) {
    const running = resource.id === "" ? resource.create(written) : resource.up(written);
    const message = await running.then(() => "", String);
    if (message.includes("set adopt: true")) written = { ...program, adopt: true };
  }
  return written;
}
