import { basename } from "node:path";
import { z } from "zod";
import {
  checksByReadAndRejection,
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  object,
  place,
  post,
  replaces,
} from "../../core";
import { document } from "./jsonApi";
import { platformGone, providerFields, providerParts, searchIn, VERSIONS } from "./ofProvider";
import { fileUnlessDigest, releaseFile, requireFile, sha256 } from "./releaseFile";
import { isTaken, workspaces } from "./service";

const all = `${VERSIONS}/{version}/platforms`;
const one = `${all}/{os}/{arch}`;
const asDocument = document("registry-provider-platforms");

/** A platform of a private provider's version (HCP Terraform API: Private provider versions and platforms). */
export default define({
  token: "workspaces:RegistryProviderPlatform",
  product: {
    noun: "private registry provider platform",
    terraform: "no Terraform resource",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/private-registry/provider-versions-platforms",
  },
  doc: "Package of a private provider's version for one operating system and architecture. The platform is immutable: a changed file replaces it.",
  section: "API: private provider platforms",
  service: workspaces,
  fields: {
    ...commonFields,
    ...providerFields,
    version: field(z.string().min(1), {
      doc: "Version of the provider, such as `1.4.0`.",
      role: "identity",
      location: "address",
    }),
    os: field(z.string().min(1), { doc: "Operating system, such as `linux`.", role: "identity" }),
    arch: field(z.string().min(1), { doc: "Architecture, such as `amd64`.", role: "identity" }),
    file: field(z.string().min(1).optional(), {
      doc: "Path of the local zip file, relative to the program's folder.",
      toWrite: "Required for the upload. Default: none, if `shasum` and `uploadedSha256` are set.",
      role: "steering",
    }),
    filename: field(z.string().min(1).optional(), {
      doc: "Name of the zip file, as in the `SHA256SUMS` file of the version.",
      toWrite: "Default: the name of `file`.",
      immutable: true,
      notRestored: true,
    }),
    shasum: field(sha256.optional(), {
      doc: "SHA-256 of the zip file, as in the `SHA256SUMS` file of the version.",
      toWrite: "Default: of `file`. Set it if the file no longer exists.",
      digestOf: "file",
      immutable: true,
    }),
    uploadedSha256: field(sha256.optional(), {
      doc: "SHA-256 of the uploaded zip file.",
      toWrite: "Default: of `file`. Set it if the file no longer exists.",
      location: "link",
      digestOf: "file",
      immutable: "once set",
    }),
    platformId: field(z.string().optional(), {
      doc: "ID of the platform (`provpltfrm-…`).",
      role: "server's",
      wire: "id",
    }),
  },
  rules: [fileUnlessDigest("file", "shasum"), fileUnlessDigest("file", "uploadedSha256")],
  where: place("{organization}/{name}/{version}/{os}/{arch}", providerParts),
  life: object({
    reads: { one: get(one), expects: { named: { os: "os", arch: "arch" } }, absence: platformGone },
    // Every input is immutable, so there is never an update of the object itself.
    writes: replaces({
      create: post(all, { expects: ["id", "links"] }),
      envelope: (attributes, { inputs }) =>
        asDocument({ filename: basename(requireFile(inputs, "file")), ...attributes }),
      returns: "object",
    }),
    creation: { existing: checksByReadAndRejection(isTaken, searchIn(all, ["os", "arch"])) },
    deletion: deletes(del(one)),
    links: [releaseFile({ field: "uploadedSha256", file: "file", kind: "provider-binary", of: one })],
  }),
});
