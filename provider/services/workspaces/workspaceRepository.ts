import { z } from "zod";
import { field } from "../../core";

/** The repository of a workspace (specification: Workspace, vcs-repo). */
export const vcsRepo = field(
  z
    .strictObject({
      identifier: field(z.string().min(1), {
        doc: "`organization/repository`; for one VCS kind `organization/project/_git/repository`.",
      }),
      // The table requires a token; HCP Terraform accepts the installation id instead.
      oauthTokenId: field(z.string().min(1).optional(), {
        doc: "The id of the VCS OAuth token by which the service gets at the repository.",
        toWrite: "It, or `githubAppInstallationId`.",
        wire: "oauth-token-id",
        empty: "",
      }),
      githubAppInstallationId: field(z.string().min(1).optional(), {
        doc: "The id of the installation of the product's own GitHub App, `ghain-…`, in place of an OAuth token.",
        toWrite:
          "The service then gets at the repository as the user whose token writes the workspace: a team's or an organization's token is refused. The specification does not name it; HCP Terraform has it.",
        empty: "",
      }),
      branch: field(z.string().optional(), {
        doc: "The branch; empty means the repository's default branch.",
        empty: "",
      }),
      ingressSubmodules: field(z.boolean().optional(), {
        doc: "Whether a clone fetches submodules, too.",
        default: false,
      }),
      tagsRegex: field(z.string().optional(), {
        doc: "A regular expression on tags; a matching tag in a VCS event starts a run.",
        empty: null,
      }),
    })
    .optional(),
  {
    doc: "The VCS repository that holds its configuration.",
    toWrite: "When it is dropped the workspace is detached from it.",
    empty: null,
    sentTogether: ["identifier", "oauthTokenId", "githubAppInstallationId"],
  },
);
