import type { Values } from "../../provider/core/language/object";

/** What a delete does otherwise, by what steers it. */
export const STEERED: Readonly<Record<string, readonly Values[]>> = {
  "scheduler:Job": [{ purge: false }],
  "workspaces:Workspace": [{ forceDelete: true }],
  "workspaces:WorkspaceLock": [{ forceUnlock: true }, { forceUnlock: false }],
};

/** What waits after its write for what the service makes of it, by what it waits for. */
export const WAITED_FOR: Readonly<Record<string, readonly Values[]>> = {
  "scheduler:Job": [{ wait: "evaluation" }, { wait: "deployment" }],
};

/** What is fixed once it exists, and another value of it for an object at the same place. */
export const FIXED: Readonly<Record<string, Values>> = {
  "secrets:CloudStaticRole": { username: "svc-other" },
  "secrets:DirectoryStaticRole": { username: "svc-other", dn: "cn=svc-other,dc=example" },
  "workspaces:WorkspaceLock": { reason: "another" },
};
