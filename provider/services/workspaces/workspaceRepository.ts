import { z } from "zod";
import { field } from "../../core";

/** The repository of a workspace (specification: Workspace, vcs-repo). */
export const vcsRepo = field(
  z
    .strictObject({
      identifier: field(z.string().min(1), {
        doc: "Repository as `organization/repository`; for Azure DevOps, `organization/project/_git/repository`.",
      }),
      // The table requires a token; HCP Terraform accepts the installation ID instead.
      oauthTokenId: field(z.string().min(1).optional(), {
        doc: "ID of the VCS OAuth token that gives access to the repository.",
        toWrite: "Set either this or `githubAppInstallationId`.",
        wire: "oauth-token-id",
        empty: "",
      }),
      githubAppInstallationId: field(z.string().min(1).optional(), {
        doc: "ID of an installation of the HCP Terraform GitHub App (`ghain-…`), as an alternative to an OAuth token.",
        toWrite:
          "HCP Terraform accesses the repository as the user whose token writes the workspace, so it rejects team and organization tokens.",
        empty: "",
      }),
      branch: field(z.string().optional(), {
        doc: "Branch name; empty for the repository's default branch.",
        empty: "",
      }),
      ingressSubmodules: field(z.boolean().optional(), {
        doc: "Fetch submodules when cloning the repository.",
        default: false,
      }),
      tagsRegex: field(z.string().optional(), {
        doc: "Regular expression for Git tags; a matching tag in a VCS event starts a run.",
        empty: null,
      }),
    })
    .optional(),
  {
    doc: "VCS repository that contains the workspace's configuration.",
    toWrite: "If removed, the workspace is detached from the repository.",
    empty: null,
    sentTogether: ["identifier", "oauthTokenId", "githubAppInstallationId"],
  },
);
