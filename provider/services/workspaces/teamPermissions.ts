import { z } from "zod";
import { type Body, enumeration, factsOf, field, type Json, wireName } from "../../core";
import { workspaces } from "./service";

const permission = <S extends z.ZodType>(value: S, doc: string, least: string | boolean) =>
  field(value.optional(), { doc, toWrite: "Only if `access` is `custom`.", default: least });

/** The permissions of a custom access. Otherwise, the server derives them from the access, and nobody can set them. */
export const CUSTOM = {
  runs: permission(
    enumeration({
      read: "Read runs.",
      plan: "Also start plans.",
      apply: "Also apply and discard plans.",
    }),
    "Permission on runs.",
    "read",
  ),
  variables: permission(
    enumeration({ none: "No access.", read: "Read variables.", write: "Read and change variables." }),
    "Permission on variables.",
    "none",
  ),
  stateVersions: permission(
    enumeration({
      none: "No access.",
      "read-outputs": "Read outputs.",
      read: "Read complete states.",
      write: "Read states and create new ones.",
    }),
    "Permission on states.",
    "none",
  ),
  sentinelMocks: permission(
    enumeration({ none: "No access.", read: "Download mocks." }),
    "Permission on the Sentinel mocks of runs.",
    "none",
  ),
  workspaceLocking: permission(z.boolean(), "Allow locking and unlocking the workspace.", false),
  runTasks: permission(z.boolean(), "Allow managing the run tasks of the workspace.", false),
  policyOverrides: permission(z.boolean(), "Allow overriding policy checks of runs (beta).", false),
};
export const permissions = Object.keys(CUSTOM) as (keyof typeof CUSTOM)[];

const WIRE_NAMES = permissions.map((name) => wireName(name, workspaces.naming));

/** The least permissions of a custom access. */
const LEAST: Body = Object.fromEntries(
  permissions.map((name): [string, Json] => [
    wireName(name, workspaces.naming),
    factsOf(CUSTOM[name]).default ?? null,
  ]),
);

/**
 * The members of an update. A change to a custom access names every permission, because the server keeps the permissions of
 * the earlier level otherwise (HCP Terraform API: the sample of "Update Team Access to a Workspace").
 */
export function fromLevel(members: Body): Body {
  return members.access === "custom" ? { ...LEAST, ...members } : members;
}

/** The members without the permissions that only a custom access has. */
export function derived(members: Body, access: Body[string] | undefined): Body {
  if (access === "custom") return members;
  return Object.fromEntries(Object.entries(members).filter(([name]) => !WIRE_NAMES.includes(name)));
}
