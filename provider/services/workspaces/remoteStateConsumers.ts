import { z } from "zod";
import {
  commonFields,
  define,
  del,
  deletes,
  field,
  object,
  patches,
  post,
  rule,
  stringsIn,
  whyNoName,
} from "../../core";
import { goneWithWorkspace, inWorkspace, ofWorkspace, workspaceIdField } from "./ofWorkspace";
import {
  CONSUMERS,
  consumerLink,
  consumerReferences,
  removeConsumers,
  sharingWarning,
} from "./remoteStateConsumerList";
import { workspaces } from "./service";

const ITSELF = "must not contain the workspace itself, which can always read its own state";

/** The remote state consumers of a workspace (specification: List remote state consumers). */
export default define({
  token: "workspaces:RemoteStateConsumers",
  product: {
    noun: "remote state consumers of a workspace",
    terraform: "`remote_state_consumer_ids` of `tfe_workspace_settings`",
    docs: "https://developer.hashicorp.com/terraform/enterprise/api-docs/workspaces",
  },
  doc: "Workspaces that may read a workspace's state during runs (remote state consumers), in addition to consumers that others authorize. Use only one such resource per workspace, because two of them undo each other. The resource has no effect while `globalRemoteState` or `projectRemoteState` is true.",
  section: "List remote state consumers",
  service: workspaces,
  fields: {
    ...commonFields,
    workspaceId: workspaceIdField,
    consumerIds: field(z.array(z.string().min(1)), {
      doc: "IDs of the consumer workspaces (`ws-…`) in the same organization. The server never lists a workspace that the token cannot read, so such a consumer is assumed to be present.",
      location: "link",
      additive: { unless: "exclusive" },
      empty: [],
    }),
    exclusive: field(z.boolean().optional(), {
      doc: "Remove consumers that are not in `consumerIds`, whether they are added later or exist when this is turned on. The server does not list consumers that this token cannot read, so these may remain.",
      role: "steering",
      default: false,
    }),
    sharedGlobally: field(z.boolean().optional(), {
      doc: "True if the workspace shared its state with the entire organization when it was last read; `consumerIds` then has no effect.",
      role: "server's",
      wire: "global-remote-state",
    }),
    sharedInProject: field(z.boolean().optional(), {
      doc: "True if the workspace shared its state with its entire project when it was last read; `consumerIds` then has no effect.",
      role: "server's",
      wire: "project-remote-state",
      isLater: true,
    }),
  },
  rules: [
    rule(
      ["consumerIds", "workspaceId"],
      (ids, id) => (stringsIn(ids).some((consumer) => consumer === id) ? ITSELF : undefined),
      ITSELF,
    ),
    rule(
      ["consumerIds"],
      (ids) =>
        stringsIn(ids)
          .map(whyNoName)
          .find((why) => why !== undefined),
      "must contain valid URL path segments: no `.`, no `..`, and no characters that a path cannot contain",
    ),
  ],
  where: ofWorkspace(),
  life: object({
    // The list is part of the workspace, and exists if the workspace does.
    reads: { ...inWorkspace, absence: goneWithWorkspace() },
    writes: patches({
      create: post(CONSUMERS, { expects: "nothing" }),
      envelope: (body) => consumerReferences(stringsIn(body["consumer-ids"])),
    }),
    creation: {
      adoptsImplicitly: (found, inputs) =>
        inputs.exclusive !== true || othersIn(found["consumer-ids"], inputs).length === 0,
      describeExisting: (found) =>
        `the workspace already has ${stringsIn(found["consumer-ids"]).length} consumers, not all of them in consumerIds; exclusive: true would remove the others`,
    },
    deletion: deletes(del(CONSUMERS, { expects: "nothing" }), {
      isDone: (body, { consumerIds }) =>
        !stringsIn(body["consumer-ids"]).some((id) => stringsIn(consumerIds).includes(id)),
      perform: removeConsumers,
    }),
    links: [consumerLink],
  }),
  notes: ({ inputs, outputs, changed }) => [
    ...[sharingWarning(outputs?.sharedGlobally, outputs?.sharedInProject)].filter(
      (note) => note !== undefined,
    ),
    ...(inputs.exclusive === true && (outputs === undefined || changed.length > 0)
      ? [
          "the server does not list consumers that this token cannot read, so they may remain despite exclusive: true",
        ]
      : []),
  ],
});

/** The consumers that this program does not write. */
function othersIn(
  ids: Parameters<typeof stringsIn>[0],
  { consumerIds }: { consumerIds?: Parameters<typeof stringsIn>[0] },
) {
  const ours = stringsIn(consumerIds);
  return stringsIn(ids).filter((id) => !ours.includes(id));
}
