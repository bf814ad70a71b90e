import type { EngineOperation } from "../operation";
import type { Randomness } from "../randomness";
import type { CloudData } from "./records";

export type CloudOperation = EngineOperation<CloudData>;

/** A new access key in AWS's format. */
export function newAccessKey(randomness: Randomness): {
  readonly accessKey: string;
  readonly secretKey: string;
} {
  return {
    accessKey: `AKIA${randomness.text(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`,
    secretKey: randomness.text(40),
  };
}
