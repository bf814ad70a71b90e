import type { Needed, RightsRow } from "../../core";

const ON_WORKSPACE = "the workspace {1}";

const READ: Needed = { anyOf: ["Read permission on runs"], on: ON_WORKSPACE };
const ADMIN: Needed = { anyOf: ["Admin permission"], on: ON_WORKSPACE };
const LOCK: Needed = { anyOf: ["Lock/unlock permission"], on: ON_WORKSPACE };
const MEMBER: Needed = { anyOf: ["membership"], on: "the organization {1}" };
const REGISTRY: Needed = {
  anyOf: ["Manage Private Registry", "the owners team"],
  on: "the organization {1}",
};

/** An installation of HCP Terraform's GitHub App belongs to a person: tokens of teams and organizations cannot use it. */
const PERSONAL: Needed = {
  anyOf: ["a user API token"],
  on: "the GitHub App installation",
  when: "if `vcsRepo.githubAppInstallationId` is set",
};

/** The permissions in the specification's "Authentication" sections and, for the registry, in its introduction. */
export const rights: readonly RightsRow[] = [
  { methods: ["GET"], path: "/organizations/*", needs: [MEMBER] },
  { methods: ["GET"], path: "/organizations/*/workspaces", needs: [MEMBER] },
  {
    methods: ["GET"],
    path: "/organizations/*/workspaces/*",
    needs: [{ ...READ, on: "the workspace {2}" }],
  },
  {
    methods: ["POST"],
    path: "/organizations/*/workspaces",
    needs: [
      {
        anyOf: ["Manage all workspaces", "the owners team", "an organization API token"],
        on: "the organization {1}",
      },
      PERSONAL,
    ],
  },
  { methods: ["GET"], path: "/organizations/*/registry-providers", needs: [MEMBER] },
  { methods: ["GET"], path: "/organizations/*/registry-providers/**", needs: [MEMBER] },
  { methods: ["POST"], path: "/organizations/*/registry-providers", needs: [REGISTRY] },
  { methods: ["DELETE"], path: "/organizations/*/registry-providers/**", needs: [REGISTRY] },
  { methods: ["POST"], path: "/workspaces/*/actions/lock", needs: [LOCK] },
  { methods: ["POST"], path: "/workspaces/*/actions/unlock", needs: [LOCK] },
  {
    methods: ["POST"],
    path: "/workspaces/*/relationships/remote-state-consumers",
    needs: [ADMIN, { ...READ, on: "each workspace that is added", when: "if any" }],
  },
  { methods: ["GET"], path: "/workspaces/*", needs: [READ] },
  { methods: ["GET"], path: "/workspaces/*/**", needs: [READ] },
  { methods: ["PATCH"], path: "/workspaces/*", needs: [ADMIN, PERSONAL] },
  { methods: ["DELETE"], path: "/workspaces/*", needs: [ADMIN] },
  { methods: ["POST", "PATCH", "DELETE"], path: "/workspaces/*/**", needs: [ADMIN] },
];
