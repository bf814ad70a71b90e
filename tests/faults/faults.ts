import { clientFaults } from "./clientFaults";
import { connectionFaults, gatewayFaults, silenceFaults } from "./connectionFaults";
import type { Fault } from "./fault";
import { responseFaults } from "./responseFaults";
import { otherUserFaults, serviceFaults } from "./serviceFaults";

/** All faults of a request. */
export const faults: readonly Fault[] = [
  ...connectionFaults,
  ...responseFaults,
  ...clientFaults,
  ...serviceFaults,
  ...otherUserFaults,
  ...gatewayFaults,
  ...silenceFaults,
];
