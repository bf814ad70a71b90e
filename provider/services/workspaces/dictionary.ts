/** A workspace as the server stores it, with all defaults. */
const workspace = {
  baseline: {
    name: "",
    allowDestroyPlan: true,
    assessmentsEnabled: false,
    autoApply: false,
    autoApplyRunTrigger: false,
    description: "",
    executionMode: "remote",
    fileTriggersEnabled: true,
    globalRemoteState: false,
    operations: true,
    queueAllRuns: false,
    sourceName: "",
    sourceUrl: "",
    speculativeEnabled: true,
    engineVersion: "1.9.8",
    triggerPatterns: [],
    triggerPrefixes: [],
    vcsRepo: { branch: "", identifier: "", ingressSubmodules: false, oauthTokenId: "", tagsRegex: "" },
    workingDirectory: "",
    settingOverwrites: { executionMode: false, agentPool: false },
    agentPoolId: "",
    projectId: "prj-default",
    tagNames: [],
    tagBindings: {},
  },
};

const others = [
  { deleteOlderThanDays: 30, dontDelete: false },
  { consumerIds: ["ws-"] },
  { sshKeyId: "sshkey-", workspaceId: "ws-" },
  { reason: "", holder: "user-" },
  { address: { organization: "", registryName: "private", name: "", namespace: "" } },
];

/** Common content of this service's records: see `Service`. A published dictionary never changes. */
const dictionaries: readonly string[] = [JSON.stringify([...others, workspace])];

export default dictionaries;
