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
  doc: "How long a workspace's old state versions and configuration versions are kept: for so many days, or for ever. A workspace without one follows its organization.",
  section: "Data retention policy",
  service: workspaces,
  fields: {
    ...commonFields,
    workspaceId: workspaceIdField,
    deleteOlderThanDays: field(z.int().optional(), {
      doc: "Days after which old versions are deleted.",
      wire: "delete-older-than-n-days",
    }),
    dontDelete: field(z.boolean().optional(), {
      doc: "Whether old versions are kept for ever.",
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
    {
      ...askingForOne(
        ["deleteOlderThanDays", "dontDelete"],
        rule(
          ["deleteOlderThanDays", "dontDelete"],
          (days, never) => (days === undefined) === (never !== true),
          "must be given, or else dontDelete: true: exactly one of the two is a policy",
        ),
      ),
      exclusive: { pair: ["deleteOlderThanDays", "dontDelete"] },
    },
  ],
  where: ofWorkspace(),
  life: object({
    reads: {
      one: get(path),
      shows: { named: { policyId: "id" } },
      as: ({ links: _, ...body }, answer) => ({ ...body, "dont-delete": typeIn(answer) === DONT_DELETES }),
      saysNone: (answer) => isObject(answer) && answer.data === null,
      locate: withOrganization,
      gone: goneFromWorkspace,
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
