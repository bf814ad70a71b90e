import type { Values } from "../../provider/core/language/object";
import { otherWays, procedures, type Trial } from "../steps/procedures";
import type { Resource } from "../steps/resource";
import type { World } from "../steps/world";
import { procedureSubject } from "./actionScenarios";
import { failureOf, up } from "./commands";
import type { FaultSubject, Scenario } from "./faultSubject";

type Entry = readonly [token: string, make: () => Promise<FaultSubject>];

const HOUR_MS = 3_600_000;
/** A minute before the command, this is within the last ten minutes of a one-hour lease. */
const NEAR_ITS_END_MS = HOUR_MS - 360_000;
const RENEWED: Values = { renewBefore: "10m" };

/** The scheduled update renews the lease of the credentials. */
function renewal(program: Values): Scenario {
  const kept = { ...program, ...RENEWED };
  return {
    kind: "update",
    name: "renewal of its lease",
    program: kept,
    async before(resource) {
      await resource.create(kept);
      await resource.world.connection.runtime.sleep(NEAR_ITS_END_MS);
    },
    command: (resource) => up(resource, kept),
  };
}

/** The same service in the dialect `real`, which returns leases. Some of them are valid for one hour. */
async function real({ definition, scene }: Trial): Promise<{ world: World; program: Values }> {
  const { world, program } = await scene();
  const headers = { "x-secrets-token": "root", "content-type": "application/json" };
  for (const [path, body] of Object.entries(HOURLY[definition.token] ?? {}))
    await world.send("POST", `/v1/${path}`, body, headers);
  world.stub.configure({ dialect: "real" });
  return { world: world.with({ dialect: "real", queueMount: "msgq", cloudMount: "cloud" }), program };
}

const HOURLY: Readonly<
  Record<string, Readonly<Record<string, { readonly [member: string]: string | number }>>>
> = {
  "secrets:QueueCredentials": { "msgq/config/lease": { ttl: 3600, max_ttl: 86_400 } },
  "secrets:CloudCredentials": { "cloud/config/lease": { lease: "1h", lease_max: "24h" } },
  "secrets:DirectoryCredentials": { "ldap/role/app": { default_ttl: 3600, max_ttl: 86_400 } },
};

const issued = procedures.filter(([token]) => token in HOURLY);

/** A rekey that waits for shares receives every share. */
function resumed(program: Values): Scenario {
  const { shares } = program;
  const few = { ...program, shares: Array.isArray(shares) ? shares.slice(0, 1) : [] };
  return {
    kind: "update",
    name: "resumed with the shares that were missing",
    program,
    async before(resource: Resource) {
      if ((await failureOf(resource.create(few))) === undefined)
        throw new Error("a rekey with too few shares is half made");
    },
    command: (resource) => up(resource, program),
  };
}

const resumable = [...procedures, ...otherWays].flatMap(([, trial]) =>
  trial.definition.token === "secrets:RecoveryKeyRekey" ? [[trial.definition.token, trial] as const] : [],
);

/** Further scenarios, with different requests, of definitions that are already tested. */
export const furtherScenarios: readonly Entry[] = [
  ...otherWays.map(([, trial]): Entry => [trial.definition.token, () => procedureSubject(trial)]),
  ...issued.map(
    ([token, trial]): Entry => [
      token,
      () => procedureSubject({ ...trial, scene: () => real(trial) }, (program) => [renewal(program)]),
    ],
  ),
  ...resumable.map(
    ([token, trial]): Entry => [token, () => procedureSubject(trial, (program) => [resumed(program)])],
  ),
];
