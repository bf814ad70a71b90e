/** A workspace as the service keeps it, with everything that it puts in. */
const workspace = {
  settled: {
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

/** What records of this service say again and again: see `Service`. What was published is never changed. */
const dictionaries: readonly string[] = [JSON.stringify([...others, workspace])];

export default dictionaries;
