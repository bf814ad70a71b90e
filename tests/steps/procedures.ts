import type { Procedure, Values } from "../../provider/core/define";
import libraryCheckOut from "../../provider/services/secrets/libraryCheckOut";
import recoveryKeyRekey from "../../provider/services/secrets/recoveryKeyRekey";
import recoveryKeyVerification from "../../provider/services/secrets/recoveryKeyVerification";
import { INITIAL_SHARES } from "../../testing/stub/services/secrets/rekey/records";
import { Resource } from "./resource";
import { secretsWorld } from "./subjects/secretsScene";
import type { World } from "./world";

/** A procedure with all that its laws need to try it. */
export interface Trial {
  readonly definition: Procedure;
  /** A fresh service, and a program that comes to its end. */
  scene(): Promise<{ readonly world: World; readonly program: Values }>;
}

const rekey = { secretShares: 3, secretThreshold: 2, shares: INITIAL_SHARES.slice(0, 2) };

const list: readonly Trial[] = [
  {
    definition: libraryCheckOut,
    scene: async () => ({
      world: await secretsWorld(libraryCheckOut, {
        "ldap/config": { binddn: "cn=admin", bindpass: "hush" },
        "ldap/library/ops": { service_account_names: ["svc-1", "svc-2"], ttl: 3600 },
      }),
      program: { setName: "ops" },
    }),
  },
  {
    definition: recoveryKeyRekey,
    scene: async () => ({ world: await secretsWorld(recoveryKeyRekey), program: rekey }),
  },
  {
    definition: recoveryKeyVerification,
    async scene() {
      const world = await secretsWorld(recoveryKeyVerification);
      const before = new Resource(world.another(), recoveryKeyRekey);
      await before.create(rekey);
      const { nonce, keysBase64 } = before.outputs;
      return { world, program: { rekeyNonce: nonce ?? "", shares: keysBase64 ?? [] } };
    },
  },
];

/** Every procedure, by its token; a test holds the list to the catalog. */
export const procedures: readonly (readonly [string, Trial])[] = list.map((trial) => [
  trial.definition.token,
  trial,
]);
