import { z } from "zod";
import {
  askingForOne,
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  isObject,
  type Json,
  object,
  post,
  replaces,
  rule,
} from "../../core";
import { document } from "./jsonApi";
import { goneFromWorkspace, ofWorkspace, withOrganization, workspaceIdField } from "./ofWorkspace";
import { workspaces } from "./service";

const path = "/workspaces/{workspaceId}/relationships/data-retention-policy";
const DELETE_OLDERS = "data-retention-policy-delete-olders";
const DONT_DELETES = "data-retention-policy-dont-deletes";

/** A workspace's data retention policy (specification: Data retention policy). */
export default define({
  token: "workspaces:DataRetentionPolicy",
  product: {
    noun: "data retention policy",
    terraform: "`tfe_data_retention_policy`",
    docs: "https://developer.hashicorp.com/terraform/enterprise/api-docs/data-retention-policies",
  },
  doc: "Data retention policy of a workspace: deletes old state versions and configuration versions after a number of days, or keeps them permanently. A workspace without a policy uses its organization's policy.",
  section: "Data retention policy",
  service: workspaces,
  fields: {
    ...commonFields,
    workspaceId: workspaceIdField,
    deleteOlderThanDays: field(z.int().optional(), {
      doc: "Number of days after which old state versions and configuration versions are deleted.",
      wire: "delete-older-than-n-days",
    }),
    dontDelete: field(z.boolean().optional(), {
      doc: "Keep old state versions and configuration versions permanently.",
      wire: "dont-delete",
      default: false,
    }),
    policyId: field(z.string().optional(), {
      doc: "ID of the policy; each change of the policy assigns a new ID.",
      role: "server's",
      wire: "id",
    }),
  },
  rules: [
    {
      ...askingForOne(
        ["deleteOlderThanDays", "dontDelete"],
        rule(
          ["deleteOlderThanDays", "dontDelete"],
          (days, never) => (days === undefined) === (never !== true),
          "set exactly one of deleteOlderThanDays and dontDelete: true",
        ),
      ),
      exclusive: { pair: ["deleteOlderThanDays", "dontDelete"] },
    },
  ],
  where: ofWorkspace(),
  life: object({
    reads: {
      one: get(path),
      expects: { named: { policyId: "id" } },
      toObject: ({ links: _, ...body }, answer) => ({
        ...body,
        "dont-delete": typeIn(answer) === DONT_DELETES,
      }),
      reportsNoObject: (answer) => isObject(answer) && answer.data === null,
      // A server may return the organization's policy for a workspace without its own.
      containsNoObject: ({ "target-id": target }, { workspaceId }) =>
        target !== undefined && target !== workspaceId,
      locate: withOrganization,
      absence: goneFromWorkspace("the server returns no policy of the workspace"),
    },
    // A POST replaces the policy. The program defines its kind; changes by others do not affect the request.
    writes: replaces({
      create: post(path),
      envelope: ({ "dont-delete": _, ...attributes }, { inputs }) =>
        inputs.dontDelete === true ? { data: { type: DONT_DELETES } } : document(DELETE_OLDERS)(attributes),
    }),
    deletion: deletes(del(path)),
  }),
});

function typeIn(answer: Json): Json | undefined {
  return isObject(answer) && isObject(answer.data) ? answer.data.type : undefined;
}
