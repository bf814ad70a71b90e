import type { Endpoint } from "../operation";
import { credentialEndpoints } from "./credentials";
import { leaseEndpoints } from "./lease";
import type { CloudOperation } from "./operation";
import { roleEndpoints } from "./roles";
import { rootEndpoints } from "./root";
import { staticRoleEndpoints } from "./static-roles";

/** A5. Cloud engine. */
export const cloudEndpoints: readonly Endpoint<CloudOperation>[] = [
  ...rootEndpoints,
  ...leaseEndpoints,
  ...roleEndpoints,
  ...credentialEndpoints,
  ...staticRoleEndpoints,
];
