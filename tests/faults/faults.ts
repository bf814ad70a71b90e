import { byStrangers, byTheService } from "./byOthers";
import type { Fault } from "./fault";
import { inTheServicesPlace } from "./inTheServicesPlace";
import { onTheWire } from "./onTheWire";
import { toTheCaller } from "./toTheCaller";
import { passes } from "./wire";

/** Everything that can go wrong with a request. */
export const faults: readonly Fault[] = [
  ...onTheWire,
  ...inTheServicesPlace,
  ...toTheCaller,
  ...byTheService,
  ...byStrangers,
];

/** No fault at all. */
export const none: Fault = {
  name: "none",
  to: "any",
  carries: "yes",
  hears: "answer",
  group: "lost or late",
  happening: () => passes,
};
