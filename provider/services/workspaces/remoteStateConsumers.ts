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
  whyNoName,
  wordsIn,
} from "../../core";
import { goneWithWorkspace, inWorkspace, ofWorkspace, workspaceIdField } from "./ofWorkspace";
import {
  CONSUMERS,
  consumerLink,
  consumerReferences,
  removeConsumers,
  SHARED_GLOBALLY,
} from "./remoteStateConsumerList";
import { workspaces } from "./service";

const ITSELF = "cannot hold the workspace itself, which reads its own state anyway";

/** The remote state consumers of a workspace (specification: List remote state consumers). */
export default define({
  token: "workspaces:RemoteStateConsumers",
  doc: "The workspaces that may read a workspace's state during runs, beside those that others authorise. It is the only manager of what it writes: two of them on one workspace undo each other. It means nothing while the workspace's `globalRemoteState` is true.",
  section: "List remote state consumers",
  service: workspaces,
  fields: {
    ...commonFields,
    workspaceId: workspaceIdField,
    consumerIds: field(z.array(z.string().min(1)), {
      doc: "The ids of the workspaces, `ws-…`, of the same organization. One that this token cannot read is never in the service's list; it is taken to be as written.",
      location: "link",
      additive: { unless: "exclusive" },
      empty: [],
    }),
    exclusive: field(z.boolean().optional(), {
      doc: "Whether nobody else may be a consumer: those that others add are removed, and those that are there when it is turned on. Consumers that this token cannot read are not in the service's list, and may stay.",
      role: "steering",
      default: false,
    }),
    sharedGlobally: field(z.boolean().optional(), {
      doc: "Whether the workspace shares its state with its whole organization, as last read: then its consumers mean nothing.",
      role: "server's",
      wire: "global-remote-state",
    }),
  },
  rules: [
    rule(
      ["consumerIds", "workspaceId"],
      (ids, id) => (wordsIn(ids).some((consumer) => consumer === id) ? ITSELF : undefined),
      ITSELF,
    ),
    rule(
      ["consumerIds"],
      (ids) =>
        wordsIn(ids)
          .map(whyNoName)
          .find((why) => why !== undefined),
      "ids stand in paths, so none may be `.` or `..`, or hold what no path can carry",
    ),
  ],
  where: ofWorkspace(),
  life: object({
    // The list is part of the workspace, and exists if the workspace does.
    reads: { ...inWorkspace, gone: goneWithWorkspace() },
    writes: patches({
      create: post(CONSUMERS, { answers: "nothing" }),
      envelope: (body) => consumerReferences(wordsIn(body["consumer-ids"])),
    }),
    creation: {
      takesOver: (found, inputs) =>
        inputs.exclusive !== true || othersIn(found["consumer-ids"], inputs).length === 0,
      called: (found) =>
        `the workspace has ${wordsIn(found["consumer-ids"]).length} consumers already, not all of them in consumerIds: with exclusive: true they would be removed`,
    },
    deletion: deletes(del(CONSUMERS, { answers: "nothing" }), {
      isDone: (body, { consumerIds }) =>
        !wordsIn(body["consumer-ids"]).some((id) => wordsIn(consumerIds).includes(id)),
      perform: removeConsumers,
    }),
    links: [consumerLink],
  }),
  notes: ({ inputs, outputs, changed }) => [
    ...(outputs?.sharedGlobally === true ? [SHARED_GLOBALLY] : []),
    ...(inputs.exclusive === true && (outputs === undefined || changed.length > 0)
      ? [
          "consumers that this token cannot read are not in the service's list: with exclusive: true they may stay unseen",
        ]
      : []),
  ],
});

/** The consumers that this program does not write. */
function othersIn(
  ids: Parameters<typeof wordsIn>[0],
  { consumerIds }: { consumerIds?: Parameters<typeof wordsIn>[0] },
) {
  const ours = wordsIn(consumerIds);
  return wordsIn(ids).filter((id) => !ours.includes(id));
}
