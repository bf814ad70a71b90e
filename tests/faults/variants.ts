import type { Values } from "../../provider/core/language/object";

/** Settings that change the behavior of a delete. */
export const STEERED: Readonly<Record<string, readonly Values[]>> = {
  "scheduler:Job": [{ purge: false }],
  "workspaces:Workspace": [{ forceDelete: true }],
  "workspaces:WorkspaceLock": [{ forceUnlock: true }, { forceUnlock: false }],
};

/** Settings that make a write wait for its result. */
export const WAITED_FOR: Readonly<Record<string, readonly Values[]>> = {
  "scheduler:Job": [{ wait: "evaluation" }, { wait: "deployment" }],
};

/** Immutable properties with a different value, for a replacement with the same name. */
export const FIXED: Readonly<Record<string, Values>> = {
  "secrets:CloudStaticRole": { username: "svc-other" },
  "secrets:DirectoryStaticRole": { username: "svc-other", dn: "cn=svc-other,dc=example" },
  "workspaces:WorkspaceLock": { reason: "another" },
};
