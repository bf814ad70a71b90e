import { z } from "zod";
import { type Definition, field, listArguments, listFunction, readFunction } from "../../core";
import cloudLease from "./cloudLease";
import cloudRole from "./cloudRole";
import cloudRoot from "./cloudRoot";
import cloudStaticRole from "./cloudStaticRole";
import credentials from "./credentials";
import directoryConfig from "./directoryConfig";
import directoryRole from "./directoryRole";
import directoryStaticRole from "./directoryStaticRole";
import librarySet from "./librarySet";
import loginEnforcement from "./loginEnforcement";
import mfaMethod from "./mfaMethod";
import { namespaceField } from "./namespaces";
import queueLease from "./queueLease";
import queueRole from "./queueRole";
import status from "./statusFunctions";

/** The functions for Vault and OpenBao: reads, lists and credentials. */
export default {
  getQueueRole: readFunction(queueRole),
  getQueueRoles: names(queueRole, "QueueRole"),
  getMfaMethod: readFunction(mfaMethod, { by: { methodId: methodIdField(), namespace: namespaceField } }),
  getMfaMethods: names(mfaMethod, "MfaMethod"),
  getLoginEnforcement: readFunction(loginEnforcement),
  getLoginEnforcements: names(loginEnforcement, "LoginEnforcement"),
  getCloudRoot: readFunction(cloudRoot, {
    doc: "Reads the root configuration of the AWS secrets engine: access key ID, endpoints and settings. The server never returns the secret access key. Fails if there is no configuration.",
    more: {
      accessKey: field(z.string().nullable(), {
        doc: "The ID of the current access key; each rotation changes it.",
      }),
    },
  }),
  getCloudLease: readFunction(cloudLease),
  getCloudRole: readFunction(cloudRole),
  getCloudRoles: names(cloudRole, "CloudRole"),
  getCloudStaticRole: readFunction(cloudStaticRole),
  getCloudStaticRoles: names(cloudStaticRole, "CloudStaticRole"),
  getQueueLease: readFunction(queueLease),
  getDirectoryConfig: readFunction(directoryConfig),
  getDirectoryStaticRole: readFunction(directoryStaticRole, {
    more: {
      lastVaultRotation: field(z.string().nullable(), {
        doc: "The time of the last password rotation (RFC 3339).",
      }),
    },
  }),
  getDirectoryStaticRoles: names(directoryStaticRole, "DirectoryStaticRole"),
  getDirectoryRole: readFunction(directoryRole),
  getDirectoryRoles: names(directoryRole, "DirectoryRole"),
  getLibrarySet: readFunction(librarySet),
  getLibrarySets: names(librarySet, "LibrarySet"),
  ...status,
  ...credentials,
};

function methodIdField() {
  return field(z.string().min(1), {
    doc: "The ID of the method (UUID).",
    role: "identity",
    location: "address",
  });
}

/** Defines a function that lists the keys of a collection. */
function names(definition: Definition, type: string) {
  const { list } = definition.life.reads;
  if (list?.holds !== "keys") throw new TypeError(`${definition.token} has no list of keys`);
  // The list contains the last part of an ID.
  const last = definition.where.id.template.split("/").at(-1) ?? "";
  return listFunction({
    ...listArguments(definition, list),
    token: `secrets:get${type}s`,
    doc: `Lists the \`${last.slice(1, -1)}\` of every ${type} that the token can see.`,
    section: definition.section,
    property: "keys",
    each: `each${type}`,
    element: z.string(),
    elements: list.items,
  });
}
