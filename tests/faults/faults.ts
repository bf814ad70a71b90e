import { byStrangers, byTheService } from "./byOthers";
import type { Fault } from "./fault";
import { inTheServicesPlace } from "./inTheServicesPlace";
import { behindAGateway, onTheWire, silence } from "./onTheWire";
import { toTheCaller } from "./toTheCaller";

/** All faults of a request. */
export const faults: readonly Fault[] = [
  ...onTheWire,
  ...inTheServicesPlace,
  ...toTheCaller,
  ...byTheService,
  ...byStrangers,
  ...behindAGateway,
  ...silence,
];
