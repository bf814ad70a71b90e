import { z } from "zod";
import {
  checksByReadAndRejection,
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  object,
  post,
  replaces,
  rule,
} from "../../core";
import { document, toOne } from "./jsonApi";
import { searchInList } from "./listSearch";
import { goneFromWorkspace, partOfWorkspace, withOrganization, workspaceIdField } from "./ofWorkspace";
import { isTaken, workspaces } from "./service";

const all = "/workspaces/{workspaceId}/run-triggers";
const one = "/run-triggers/{runTriggerId}";
const SOURCE = "sourceable-id";
const INBOUND = { "filter[run-trigger][type]": "inbound" };

/** Finds a trigger before it has an ID: a workspace needs at most one trigger for each source. */
const bySource = searchInList(
  { route: get(all, { query: INBOUND }), query: () => INBOUND, part: "runTriggerId" },
  (item, { sourceableId }) => item[SOURCE] === sourceableId,
);

/** A run trigger of a workspace (HCP Terraform API: Run triggers). */
export default define({
  token: "workspaces:RunTrigger",
  product: {
    noun: "run trigger",
    terraform: "`tfe_run_trigger`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/run-triggers",
  },
  doc: "Connection of a workspace to a source workspace: a successful apply in the source queues a run in the workspace. The trigger is immutable: every change replaces it.",
  section: "API: run triggers",
  service: workspaces,
  fields: {
    ...commonFields,
    workspaceId: workspaceIdField,
    sourceableId: field(z.string().min(1), {
      doc: "ID of the source workspace (`ws-…`), in the same organization.",
      toWrite: "A workspace has at most 20 source workspaces.",
      location: "relationship",
      immutable: true,
    }),
    runTriggerId: field(z.string().optional(), {
      doc: "ID of the run trigger (`rt-…`).",
      role: "server's",
      wire: "id",
    }),
    workspaceName: field(z.string().optional(), {
      doc: "Name of the workspace in which runs are queued.",
      role: "server's",
    }),
    sourceableName: field(z.string().optional(), {
      doc: "Name of the source workspace.",
      role: "server's",
    }),
  },
  rules: [
    rule(
      ["sourceableId", "workspaceId"],
      (source, workspace) => source !== undefined && source === workspace,
      "must not be the workspace itself: a workspace cannot trigger its own runs",
    ),
  ],
  where: partOfWorkspace("runTriggerId"),
  life: object({
    reads: {
      one: get(one),
      expects: {
        named: { runTriggerId: "id", sourceableId: SOURCE },
        within: { workspaceId: "workspace-id" },
      },
      // An object without a source is not a run trigger.
      toObject: (body) => ({ ...body, [SOURCE]: body[SOURCE] ?? "" }),
      locate: withOrganization,
      absence: goneFromWorkspace("the run trigger returns 404"),
    },
    // Every input is immutable, so there is never an update.
    writes: replaces({
      create: post(all),
      envelope: document("run-triggers", { [SOURCE]: toOne("sourceable", "workspaces") }),
      returns: "object",
    }),
    creation: { existing: checksByReadAndRejection(isTaken, bySource) },
    deletion: deletes(del(one)),
  }),
});
