import type { Needed, PermissionsRow } from "../../core";

/** The path of the GPG keys of the private registries. */
export const GPG_KEYS = "/api/registry/private/v2/gpg-keys";

/** The path of the outputs of a workspace's current state. */
export const CURRENT_OUTPUTS = "/workspaces/{workspaceId}/current-state-version-outputs";

const ON_WORKSPACE = "the workspace {1}";

const READ: Needed = { anyOf: ["Read permission on runs"], on: ON_WORKSPACE };
const ADMIN: Needed = { anyOf: ["Admin permission"], on: ON_WORKSPACE };
const LOCK: Needed = { anyOf: ["Lock/unlock permission"], on: ON_WORKSPACE };
const READ_VARIABLES: Needed = { anyOf: ["Read permission on variables"], on: ON_WORKSPACE };
const READ_OUTPUTS: Needed = { anyOf: ["Read state outputs"], on: ON_WORKSPACE };
const WRITE_VARIABLES: Needed = { anyOf: ["Read and write permission on variables"], on: ON_WORKSPACE };
const MEMBER: Needed = { anyOf: ["membership"], on: "the organization {1}" };
const REGISTRY: Needed = {
  anyOf: ["Manage Private Registry", "the owners team"],
  on: "the organization {1}",
};

const manages = (right: string, collection: string): PermissionsRow[] => {
  const anyOf = [right, "the owners team"] as const;
  return [
    {
      methods: ["POST"],
      path: `/organizations/*/${collection}`,
      needs: [{ anyOf, on: "the organization {1}" }],
    },
    {
      methods: ["PATCH", "DELETE"],
      path: `/${collection}/*`,
      needs: [{ anyOf, on: "the organization of {1}" }],
    },
  ];
};
/** A member of the organization may read these objects. */
const showsMembers = (collection: string): PermissionsRow[] => [
  { methods: ["GET"], path: `/organizations/*/${collection}`, needs: [MEMBER] },
  { methods: ["GET"], path: `/${collection}/*`, needs: [{ ...MEMBER, on: "the organization of {1}" }] },
];
const SSH_KEYS: Needed = {
  anyOf: ["Manage VCS settings", "Admin permission on a workspace"],
  on: "the organization {1}",
};

/** An installation of HCP Terraform's GitHub App belongs to a person: tokens of teams and organizations cannot use it. */
const PERSONAL: Needed = {
  anyOf: ["a user API token"],
  on: "the GitHub App installation",
  when: "if `vcsRepo.githubAppInstallationId` is set",
};

/** Manage all workspaces is sufficient only in the default project. */
const CREATE_IN_PROJECT: Needed = {
  anyOf: ["Create workspaces", "Manage all projects"],
  on: "the project",
  when: "if `projectId` is not the default project",
};
const MOVE: Needed = {
  anyOf: ["Move workspaces", "Manage all projects"],
  on: "the current project and the new one",
  when: "if `projectId` changes",
};

/** The permissions in the specification's "Authentication" sections and, for the registry, in its introduction. */
export const permissions: readonly PermissionsRow[] = [
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
        anyOf: [
          "Manage all workspaces",
          "Manage all projects",
          "the owners team",
          "an organization API token",
        ],
        on: "the organization {1}",
      },
      CREATE_IN_PROJECT,
      PERSONAL,
    ],
  },
  // The server's response contains the URLs of the files, which give access by themselves.
  ...["shasums", "shasums-sig", "platforms/*/*/provider-binary"].map(
    (file): PermissionsRow => ({
      methods: ["GET", "PUT"],
      path: `/organizations/*/registry-providers/*/*/*/versions/*/${file}`,
      needs: [],
    }),
  ),
  { methods: ["GET"], path: "/organizations/*/registry-providers", needs: [MEMBER] },
  { methods: ["GET"], path: "/organizations/*/registry-providers/**", needs: [MEMBER] },
  { methods: ["POST"], path: "/organizations/*/registry-providers", needs: [REGISTRY] },
  { methods: ["POST", "DELETE"], path: "/organizations/*/registry-providers/**", needs: [REGISTRY] },
  { methods: ["GET"], path: GPG_KEYS, needs: [{ ...MEMBER, on: "the organization" }] },
  { methods: ["POST"], path: GPG_KEYS, needs: [{ ...REGISTRY, on: "the organization" }] },
  { methods: ["GET"], path: `${GPG_KEYS}/*/*`, needs: [MEMBER] },
  { methods: ["DELETE"], path: `${GPG_KEYS}/*/*`, needs: [REGISTRY] },
  {
    methods: ["POST"],
    path: "/workspaces/*/configuration-versions",
    needs: [{ anyOf: ["Plan permission on runs"], on: ON_WORKSPACE }],
  },
  {
    methods: ["GET"],
    path: "/configuration-versions/*",
    needs: [{ ...READ, on: "the workspace of {1}" }],
  },
  // The upload URL gives access by itself.
  { methods: ["PUT"], path: "/configuration-versions/*/upload", needs: [] },
  { methods: ["POST"], path: "/runs", needs: [{ anyOf: ["Plan permission on runs"], on: "the workspace" }] },
  { methods: ["GET"], path: "/workspaces/*/runs", needs: [READ] },
  { methods: ["GET"], path: "/runs/*", needs: [{ ...READ, on: "the workspace of {1}" }] },
  {
    methods: ["POST"],
    path: "/runs/*/actions/apply",
    needs: [{ anyOf: ["Apply permission on runs"], on: "the workspace of {1}" }],
  },
  ...showsMembers("projects"),
  ...manages("Manage all projects", "projects"),
  {
    methods: ["GET"],
    path: "/projects/*/tag-bindings",
    needs: [{ ...MEMBER, on: "the organization of {1}" }],
  },
  {
    methods: ["PATCH"],
    path: "/projects/*/tag-bindings",
    needs: [{ anyOf: ["Manage all projects", "the owners team"], on: "the organization of {1}" }],
  },
  ...showsMembers("agent-pools"),
  ...manages("Manage agent pools", "agent-pools"),
  ...["/agent-pools/*/authentication-tokens", "/authentication-tokens/*"].map(
    (path): PermissionsRow => ({
      methods: ["GET", "POST", "DELETE"],
      path,
      needs: [{ anyOf: ["Manage agent pools", "the owners team"], on: "the organization of {1}" }],
    }),
  ),
  ...["/varsets/*/relationships/vars", "/varsets/*/relationships/vars/*"].flatMap(
    (path): PermissionsRow[] => [
      { methods: ["GET"], path, needs: [{ ...MEMBER, on: "the organization of {1}" }] },
      {
        methods: ["POST", "PATCH", "DELETE"],
        path,
        needs: [{ anyOf: ["Manage all workspaces", "the owners team"], on: "the organization of {1}" }],
      },
    ],
  ),
  ...showsMembers("varsets"),
  ...manages("Manage all workspaces", "varsets"),
  ...showsMembers("oauth-clients"),
  ...manages("Manage VCS settings", "oauth-clients"),
  ...showsMembers("teams"),
  ...manages("Manage teams", "teams"),
  { methods: ["GET"], path: "/organizations/*/ssh-keys", needs: [SSH_KEYS] },
  { methods: ["GET"], path: "/ssh-keys/*", needs: [{ ...SSH_KEYS, on: "the organization of {1}" }] },
  ...manages("Manage VCS settings", "ssh-keys"),
  { methods: ["POST"], path: "/workspaces/*/actions/lock", needs: [LOCK] },
  { methods: ["POST"], path: "/workspaces/*/actions/unlock", needs: [LOCK] },
  {
    methods: ["POST"],
    path: "/workspaces/*/relationships/remote-state-consumers",
    needs: [ADMIN, { ...READ, on: "each workspace that is added", when: "if any" }],
  },
  {
    methods: ["POST"],
    path: "/workspaces/*/run-triggers",
    needs: [ADMIN, { ...READ, on: "the source workspace" }],
  },
  {
    methods: ["GET"],
    path: "/run-triggers/*",
    needs: [{ ...READ, on: "the workspace or the source workspace of {1}" }],
  },
  { methods: ["DELETE"], path: "/run-triggers/*", needs: [{ ...ADMIN, on: "the workspace of {1}" }] },
  { methods: ["GET", "POST"], path: "/team-workspaces", needs: [{ ...ADMIN, on: "the workspace" }] },
  {
    methods: ["GET", "PATCH", "DELETE"],
    path: "/team-workspaces/*",
    needs: [{ ...ADMIN, on: "the workspace of {1}" }],
  },
  { methods: ["GET"], path: "/workspaces/*/notification-configurations", needs: [ADMIN] },
  {
    methods: ["GET", "PATCH", "DELETE"],
    path: "/notification-configurations/*",
    needs: [{ ...ADMIN, on: "the workspace of {1}" }],
  },
  { methods: ["GET"], path: "/workspaces/*/vars/**", needs: [READ_VARIABLES] },
  { methods: ["GET"], path: "/workspaces/*/vars", needs: [READ_VARIABLES] },
  { methods: ["PATCH", "DELETE"], path: "/workspaces/*/vars/**", needs: [WRITE_VARIABLES] },
  { methods: ["POST"], path: "/workspaces/*/vars", needs: [WRITE_VARIABLES] },
  // The path does not name the workspace. Errors name the permission of the list, from which the ID comes.
  { methods: ["GET"], path: "/state-version-outputs/*", needs: [] },
  { methods: ["GET"], path: CURRENT_OUTPUTS.replace("{workspaceId}", "*"), needs: [READ_OUTPUTS] },
  { methods: ["GET"], path: "/workspaces/*", needs: [READ] },
  { methods: ["GET"], path: "/workspaces/*/**", needs: [READ] },
  { methods: ["PATCH"], path: "/workspaces/*", needs: [ADMIN, MOVE, PERSONAL] },
  { methods: ["DELETE"], path: "/workspaces/*", needs: [ADMIN] },
  { methods: ["POST", "PATCH", "DELETE"], path: "/workspaces/*/**", needs: [ADMIN] },
];
