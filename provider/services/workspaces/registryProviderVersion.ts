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
import { providerFields, providerParts, searchIn, VERSIONS, versionGone } from "./ofProvider";
import { fileUnlessDigest, releaseFile, requireFile, sha256 } from "./releaseFile";
import { isTaken, workspaces } from "./service";

const one = `${VERSIONS}/{version}`;
const asDocument = document("registry-provider-versions");
const protocol = z.string().regex(/^[456]\.0$/, "must be 4.0, 5.0 or 6.0");

/** A version of a private provider (HCP Terraform API: Private provider versions and platforms). */
export default define({
  token: "workspaces:RegistryProviderVersion",
  product: {
    noun: "private registry provider version",
    terraform: "no Terraform resource",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/private-registry/provider-versions-platforms",
  },
  doc: "Version of a private provider, with its `SHA256SUMS` file and the signature of that file. The version is immutable: a changed file replaces it. Terraform can install it once a platform exists.",
  section: "API: private provider versions",
  service: workspaces,
  fields: {
    ...commonFields,
    ...providerFields,
    version: field(z.string().min(1), {
      doc: "Semantic version, such as `1.4.0`.",
      role: "identity",
    }),
    keyId: field(z.string().min(1), {
      doc: "ID of the GPG key of the signature: `keyId` of a `GpgKey`.",
      immutable: true,
    }),
    protocols: field(z.array(protocol).min(1), {
      doc: "Versions of the Terraform provider protocol that the provider supports: `4.0` (Terraform before 0.12), `5.0` (Terraform 0.12 and later) and `6.0` (Terraform 1.0 and later).",
      immutable: true,
      unordered: true,
    }),
    shasumsFile: field(z.string().min(1).optional(), {
      doc: "Path of the local `SHA256SUMS` file, relative to the program's folder.",
      toWrite: "Required for the upload. Default: none, if `shasumsSha256` is set.",
      role: "steering",
    }),
    shasumsSha256: field(sha256.optional(), {
      doc: "SHA-256 of the uploaded `SHA256SUMS` file.",
      toWrite: "Default: of `shasumsFile`. Set it if the file no longer exists.",
      location: "link",
      digestOf: "shasumsFile",
      immutable: "once set",
    }),
    signatureFile: field(z.string().min(1).optional(), {
      doc: "Path of the local signature `SHA256SUMS.sig`, in binary form, relative to the program's folder.",
      toWrite: "Required for the upload. Default: none, if `signatureSha256` is set.",
      role: "steering",
    }),
    signatureSha256: field(sha256.optional(), {
      doc: "SHA-256 of the uploaded signature.",
      toWrite: "Default: of `signatureFile`. Set it if the file no longer exists.",
      location: "link",
      digestOf: "signatureFile",
      immutable: "once set",
    }),
    versionId: field(z.string().optional(), {
      doc: "ID of the version (`provver-…`).",
      role: "server's",
      wire: "id",
    }),
    createdAt: field(z.string().optional(), { doc: "Creation time (ISO 8601).", role: "server's" }),
  },
  rules: [
    fileUnlessDigest("shasumsFile", "shasumsSha256"),
    fileUnlessDigest("signatureFile", "signatureSha256"),
  ],
  where: place("{organization}/{name}/{version}", providerParts),
  life: object({
    reads: { one: get(one), expects: { named: { version: "version" } }, absence: versionGone },
    // Every input is immutable, so there is never an update of the object itself.
    writes: replaces({
      create: post(VERSIONS, { expects: ["id", "links"] }),
      envelope(attributes, { inputs }) {
        requireFile(inputs, "shasumsFile");
        requireFile(inputs, "signatureFile");
        return asDocument(attributes);
      },
      returns: "object",
    }),
    creation: {
      existing: checksByReadAndRejection(isTaken, searchIn(VERSIONS, ["version"])),
      recognition: { creationTimeMember: "created-at" },
    },
    deletion: deletes(del(one)),
    links: [
      releaseFile({ field: "shasumsSha256", file: "shasumsFile", kind: "shasums", of: one }),
      releaseFile({ field: "signatureSha256", file: "signatureFile", kind: "shasums-sig", of: one }),
    ],
  }),
});
