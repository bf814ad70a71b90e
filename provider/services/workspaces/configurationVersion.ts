import { z } from "zod";
import { define, field, place, procedure, writeOnlyFields } from "../../core";
import { digestOfDirectory } from "./configurationDirectory";
import { readStatus, uploadConfiguration } from "./configurationUpload";
import { workspaceIdField } from "./ofWorkspace";
import { fileUnlessDigest, sha256 } from "./releaseFile";
import { workspaces } from "./service";

const flag = (doc: string) => field(z.boolean().optional(), { doc, default: false, immutable: true });

/** An uploaded configuration of a workspace (HCP Terraform API: Configuration versions). */
export default define({
  token: "workspaces:ConfigurationVersion",
  product: {
    noun: "configuration version",
    terraform: "data source `tfe_slug`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/configuration-versions",
  },
  doc: "A local directory with a Terraform configuration, uploaded to a workspace. A changed file uploads the directory again. The upload queues no run: a `Run` does. A delete leaves the configuration version as it is.",
  section: "API: configuration versions",
  service: workspaces,
  fields: {
    ...writeOnlyFields,
    workspaceId: workspaceIdField,
    directory: field(z.string().min(1).optional(), {
      doc: "Path of the local directory, relative to the program's folder. Paths that its `.terraformignore` file names, `.git/` and `.terraform/` (except `.terraform/modules/`) are not uploaded.",
      toWrite: "Required for the upload. Default: none, if `sha256` is set.",
      role: "steering",
    }),
    sha256: field(sha256.optional(), {
      doc: "SHA-256 of the list of the uploaded files. The list has one line for each file, sorted by path: the SHA-256 of the file, `x` if it is executable or else `-`, and its path. The line of a symbolic link is `link`, its target and its path.",
      toWrite: "Default: of `directory`. Set it if the directory no longer exists.",
      role: "steering",
      digestOf: "directory",
      digestBy: digestOfDirectory,
      immutable: true,
    }),
    speculative: flag("Use the configuration only for plans: its runs cannot be applied."),
    provisional: flag(
      "Do not make it the current configuration of the workspace until a run with it is applied.",
    ),
    configurationVersionId: field(z.string(), {
      doc: "ID of the configuration version (`cv-…`), for `configurationVersionId` of a `Run`.",
      role: "server's",
      wire: "id",
    }),
    status: field(z.string(), {
      doc: "Status of the configuration version: `uploaded` after the upload.",
      role: "server's",
    }),
  },
  rules: [fileUnlessDigest("directory", "sha256")],
  // A second upload may follow an incomplete one, so its ID is no part of the resource's.
  where: place("{workspaceId}"),
  life: procedure({
    proceed: uploadConfiguration,
    refresh: readStatus,
    // The server keeps configuration versions, and runs may need them.
    end: async () => undefined,
    description: {
      proceeds:
        "A create makes a configuration version and uploads the directory as one `tar.gz` file, without the token. If the response to the create is lost, a configuration version without files may remain. HCP Terraform uses it for no run, and the next `pulumi up` creates another configuration version. OTF uses the newest one, even without files, for a run without `configurationVersionId`: set that property of a `Run`. If the response to the upload is lost, Quarterdeck reads the status: nobody else knows the upload URL.",
      refreshes:
        "A refresh reads the status. A configuration version that the server no longer shows keeps its last status.",
      ends: "A delete sends nothing: the configuration version stays.",
    },
  }),
});
