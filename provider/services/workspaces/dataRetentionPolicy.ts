import { z } from "zod";
import { commonFields } from "../../core/language/commonFields";
import { field } from "../../core/language/facts";
import { define } from "../../core/language/resource";
import { rule } from "../../core/language/rules";
import { isObject } from "../../core/value/json";
import {
  byWorkspaceId,
  goneFromWorkspace,
  ofWorkspaceId,
  organizationOfWorkspace,
  WORKSPACE_GONE,
  workspaceIdField,
} from "./ofWorkspace";
import { workspaces } from "./service";

const path = "/workspaces/{workspaceId}/relationships/data-retention-policy";
const DELETE_OLDERS = "data-retention-policy-delete-olders";
const DONT_DELETES = "data-retention-policy-dont-deletes";

/** A workspace's data retention policy (specification: Data retention policy). */
export default define({
  token: "workspaces:DataRetentionPolicy",
  doc: "How long a workspace's old state versions and configuration versions are kept: for so many days, or for ever. A workspace without one follows its organization.",
  section: "Data retention policy",
  service: workspaces,
  fields: {
    ...commonFields,
    workspaceId: workspaceIdField,
    deleteOlderThanDays: field(z.int().min(1).optional(), {
      doc: "Days after which they are deleted.",
      wire: "delete-older-than-n-days",
    }),
    dontDelete: field(z.boolean().optional(), {
      doc: "True keeps them for ever.",
      wire: "dont-delete",
      default: false,
    }),
    policyId: field(z.string().optional(), {
      doc: "The policy's id; every change gives it another one.",
      role: "server's",
      wire: "id",
    }),
  },
  rules: [
    rule(["deleteOlderThanDays", "dontDelete"], (days, never) =>
      (days === undefined) === (never !== true)
        ? "must be given, or else dontDelete: true: exactly one of the two is a policy"
        : undefined,
    ),
  ],
  id: ofWorkspaceId,
  resolve: byWorkspaceId,
  read: { method: "GET", path },
  create: { method: "POST", path },
  // A POST replaces the policy.
  update: { method: "POST", path },
  remove: { method: "DELETE", path },
  updates: "replace",
  // Which of the two kinds it is, the program says: what others made of it is no part of it.
  wrap: ({ "dont-delete": _, ...attributes }, { inputs }) => ({
    data: inputs.dontDelete === true ? { type: DONT_DELETES } : { type: DELETE_OLDERS, attributes },
  }),
  open: (answer) => {
    const type = isObject(answer) && isObject(answer.data) ? answer.data.type : undefined;
    const { links: _, ...body } = workspaces.open(answer);
    return { ...body, "dont-delete": type === DONT_DELETES };
  },
  // Only the endpoint's own word for none is one.
  isNone: (_body, _asked, answer) => isObject(answer) && answer.data === null,
  locate: organizationOfWorkspace,
  shows: { named: { policyId: "id" } },
  gone: {
    evidence: `the service shows none, and the workspace itself can still be read with this token; or ${WORKSPACE_GONE}`,
    proves: goneFromWorkspace,
  },
});
