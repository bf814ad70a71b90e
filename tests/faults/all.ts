import { deeds } from "../steps/deeds";
import { procedures } from "../steps/procedures";
import { subjects } from "../steps/subjects";
import { crowded } from "./crowds";
import { furtherWays } from "./furtherWays";
import { triedObject } from "./lives";
import { triedDeed, triedProcedure } from "./otherLives";
import type { Tried } from "./tried";

// The rules apply to the dialect `neutral`. In the dialect `real` a connection also sends requests about the cluster.
process.env.QUARTERDECK_TEST_DIALECT ??= "neutral";

/** Every definition, with everything that the fault tests need. */
export const all: readonly (readonly [token: string, make: () => Promise<Tried>])[] = [
  ...subjects.map(([token, subject]) => [token, async () => triedObject(subject)] as const),
  ...deeds.map(([token, deed]) => [token, () => triedDeed(deed)] as const),
  ...procedures.map(([token, trial]) => [token, () => triedProcedure(trial)] as const),
  ...furtherWays,
  ...crowded,
];
