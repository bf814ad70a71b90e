import { deeds } from "../steps/deeds";
import { procedures } from "../steps/procedures";
import { subjects } from "../steps/subjects";
import { crowded } from "./crowds";
import { furtherWays } from "./furtherWays";
import { triedObject } from "./lives";
import { triedDeed, triedProcedure } from "./otherLives";
import type { Tried } from "./tried";

// The rules are of the specification's dialect: in the other one a connection asks servers of a cluster, too.
process.env.QUARTERDECK_TEST_DIALECT ??= "neutral";

/** Every definition, with all that is needed to try every fault on it. */
export const all: readonly (readonly [token: string, make: () => Promise<Tried>])[] = [
  ...subjects.map(([token, subject]) => [token, async () => triedObject(subject)] as const),
  ...deeds.map(([token, deed]) => [token, () => triedDeed(deed)] as const),
  ...procedures.map(([token, trial]) => [token, () => triedProcedure(trial)] as const),
  ...furtherWays,
  ...crowded,
];
