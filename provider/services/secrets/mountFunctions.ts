import { type Definition, field, objectsFunction, readFunction, stringIn } from "../../core";
import authMethod from "./authMethod";
import mount from "./mount";
import { authMethods, engines, type MountTable, mountListing, mountsIn } from "./mountRows";
import { mountPath } from "./mounts";
import { namespaceField } from "./namespaces";

/** The functions that look up secrets engines and auth methods (API documentation of Vault and OpenBao). */
export default {
  getMount: one(mount, engines, "`rabbitmq`"),
  getMounts: all(mount, engines, "mounts"),
  getAuthMethod: one(authMethod, authMethods, "`userpass`, without the leading `auth/`"),
  getAuthMethods: all(authMethod, authMethods, "authMethods"),
};

/** Reads the mount at a path. */
function one(definition: Definition, { noun }: MountTable, paths: string) {
  return readFunction(definition, {
    doc: `Looks up the ${noun} at a path: its accessor, type and settings. A missing ${noun} is an error.`,
    by: {
      path: field(mountPath(), {
        doc: `The path of the ${noun}, such as ${paths}.`,
        role: "identity",
        location: "address",
      }),
      namespace: namespaceField,
    },
  });
}

/** Lists the mounts of a table. */
function all(definition: Definition, table: MountTable, property: string) {
  return objectsFunction(definition, mountListing(table), {
    doc: `Lists the ${table.noun}s of a namespace, including those that the server enables itself.`,
    property,
    objects: ({ json }) => mountsIn(table, json),
    addressOf: ({ accessor, path }) => ({ accessor: stringIn(accessor), path: stringIn(path) }),
  });
}
