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
import entity from "./entity";
import group from "./group";
import librarySet from "./librarySet";
import loginEnforcement from "./loginEnforcement";
import mfaMethod from "./mfaMethod";
import mounts from "./mountFunctions";
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
  ...mounts,
  ...status,
  ...credentials,
  getEntity: byName(entity, "entity", "an alias or a group"),
  getGroup: byName(group, "group", "an alias or another group"),
};

/** Reads an object of the identity engine by its name. */
function byName(definition: Definition, noun: string, use: string) {
  return readFunction(definition, {
    doc: `Looks up the ${noun} with a name: its ID, for ${use}, and its settings. A missing ${noun} is an error.`,
    by: {
      name: field(z.string().min(1), {
        doc: `The name of the ${noun}. The server compares it without regard to case.`,
        role: "identity",
        location: "address",
      }),
      namespace: namespaceField,
    },
  });
}

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
  if (list?.itemContent !== "keys") throw new TypeError(`${definition.token} has no list of keys`);
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
