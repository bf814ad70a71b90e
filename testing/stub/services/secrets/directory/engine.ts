import type { Endpoint } from "../operation";
import { configEndpoints } from "./config";
import { roleEndpoints } from "./dynamic-roles";
import { libraryEndpoints } from "./library";
import { checkOutEndpoints } from "./library-check-out";
import type { DirectoryOperation } from "./operation";
import { staticRoleEndpoints } from "./static-roles";

/** A6. Directory engine. */
export const directoryEndpoints: readonly Endpoint<DirectoryOperation>[] = [
  ...configEndpoints,
  ...staticRoleEndpoints,
  ...roleEndpoints,
  // Listed before a set's own path, which would match `manage`.
  ...checkOutEndpoints,
  ...libraryEndpoints,
];
