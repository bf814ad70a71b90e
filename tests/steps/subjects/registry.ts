import { basename } from "node:path";
import fc from "fast-check";
import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import gpgKey from "../../../provider/services/workspaces/gpgKey";
import registryProviderPlatform from "../../../provider/services/workspaces/registryProviderPlatform";
import registryProviderVersion from "../../../provider/services/workspaces/registryProviderVersion";
import { GPG_KEYS } from "../../../testing/tests/stub/gpg-keys";
import { expectAccepted } from "../rejectedRequest";
import type { Subject } from "../subject";
import type { World } from "../world";
import { workspaceWorld } from "./ofWorkspace";

const { asciiArmor, keyId } = GPG_KEYS.one;
const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };

/** A public key of the organization `acme`. */
const gpgKeySubject: Subject = {
  definition: gpgKey,
  // Another user can only move a key to another organization, which ends it here.
  isFixed: true,
  world: async () => workspaceWorld(gpgKey),
  programs: fc.constantFrom({ asciiArmor }, { asciiArmor, organization: "acme" }),
  edits: fc.constant({ property: "asciiArmor", value: asciiArmor }),
  edit: async () => undefined,
  async takeAway(world) {
    const path = `/api/registry/private/v2/gpg-keys/acme/${keyId}`;
    expectAccepted(await world.send("DELETE", path, undefined, headers));
  },
  createTakes: () => ["GET", "POST"],
};

/** The files of the version 1.0.0; their paths are relative to the folder of the repository. */
export const RELEASE = {
  shasumsFile: "tests/steps/release/terraform-provider-app_1.0.0_SHA256SUMS",
  shasumsSha256: "958e7f1c2feb7e01f31ca75c87f4c62bb873207bc1893ad2f88106fd7ede2bae",
  signatureFile: "tests/steps/release/terraform-provider-app_1.0.0_SHA256SUMS.sig",
  signatureSha256: "fbfb7ab8ed1ca193ce9a8916ae9ddcedc1598ffb600e29475201d68dc978e237",
  zipFile: "tests/steps/release/terraform-provider-app_1.0.0_linux_amd64.zip",
  zipSha256: "1f250182c9c79b9ac59234df5b3c7b35bae267d327e28bcd48f24c4f7345f809",
} as const;

/** The private provider `app` of the organization `acme`, with a key, and with the version 0.9.0 without files. */
export function providerWorld(definition: Definition): World {
  const [organization, name] = ["acme", "app"];
  return workspaceWorld(definition, {
    registryProviders: [{ organization, registryName: "private", namespace: organization, name }],
    gpgKeys: [{ namespace: organization, asciiArmor }],
    providerVersions: [{ organization, name, version: "0.9.0", keyId }],
  });
}

const UPLOAD = ["GET", "PUT", "GET"];
const VERSIONS = "/api/v2/organizations/acme/registry-providers/private/acme/app/versions";
const { zipFile, zipSha256, ...files } = RELEASE;
const version = { name: "app", version: "1.0.0", keyId, protocols: ["5.0"], ...files };

/** The version 1.0.0 of the private provider `app`. */
const versionSubject: Subject = {
  definition: registryProviderVersion,
  isFixed: true,
  world: async () => providerWorld(registryProviderVersion),
  programs: fc.constantFrom<Values>(version, { ...version, organization: "acme" }),
  edits: fc.constant({ property: "keyId", value: keyId }),
  edit: async () => undefined,
  async takeAway(world) {
    expectAccepted(await world.send("DELETE", `${VERSIONS}/1.0.0`, undefined, headers));
  },
  // A create reads the list. Each upload reads its URL before, and its success afterward.
  createTakes: () => ["GET", "POST", ...UPLOAD, ...UPLOAD, "GET"],
};

const platform = {
  name: "app",
  version: "0.9.0",
  os: "linux",
  arch: "amd64",
  file: zipFile,
  shasum: zipSha256,
  uploadedSha256: zipSha256,
};

/** The platform linux_amd64 of the version 0.9.0. */
const platformSubject: Subject = {
  definition: registryProviderPlatform,
  isFixed: true,
  world: async () => providerWorld(registryProviderPlatform),
  programs: fc.constantFrom<Values>(platform, { ...platform, filename: basename(zipFile) }),
  edits: fc.constant({ property: "shasum", value: zipSha256 }),
  edit: async () => undefined,
  async takeAway(world) {
    expectAccepted(await world.send("DELETE", `${VERSIONS}/0.9.0/platforms/linux/amd64`, undefined, headers));
  },
  createTakes: () => ["GET", "POST", ...UPLOAD, "GET"],
};

/** The objects of a private registry. */
export const registrySubjects: readonly Subject[] = [gpgKeySubject, versionSubject, platformSubject];
