import { z } from "zod";
import { define, enumeration, field, place, procedure, rule, writeOnlyFields } from "../../core";
import { workspaceIdField } from "./ofWorkspace";
import { MESSAGE, queueAndFollow, readAgain } from "./runQueue";
import { workspaces } from "./service";

const addresses = (doc: string) => field(z.array(z.string().min(1)).optional(), { doc, immutable: true });
const flag = (doc: string) => field(z.boolean().optional(), { doc, default: false, immutable: true });

/** A run of a workspace (HCP Terraform API: Run). */
export default define({
  token: "workspaces:Run",
  product: {
    noun: "run",
    terraform: "`tfe_workspace_run`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/run",
  },
  doc: "A run of a workspace, queued once. Changing `triggers` or any other property queues another run. A delete leaves the run as it is.",
  section: "API: runs",
  service: workspaces,
  fields: {
    ...writeOnlyFields,
    workspaceId: workspaceIdField,
    configurationVersionId: field(z.string().min(1).optional(), {
      doc: "ID of the configuration version (`cv-…`) of the run.",
      toWrite: "Default: the workspace's current one.",
      wire: "configuration-version",
      immutable: true,
    }),
    message: field(z.string().min(1).optional(), {
      doc: "Text that the server shows with the run.",
      toWrite: "Quarterdeck appends a random ID, by which it finds the run after a lost response.",
      default: MESSAGE,
      immutable: true,
    }),
    waitFor: field(
      enumeration({
        applied: "Apply the plan without a review, and wait until it is applied.",
        planned: "Wait for the plan only. The plan stays for someone else to apply or discard.",
      }).optional(),
      {
        doc: "The status for which a create waits, at most for its timeout.",
        role: "steering",
        default: "applied",
      },
    ),
    isDestroy: flag("Plan the destruction of all resources of the workspace."),
    planOnly: flag("Plan without an apply: nobody can apply the run."),
    refreshOnly: flag("Update the state only: the run ignores the configuration."),
    allowEmptyApply: flag("Apply the plan even if it has no changes."),
    refresh: field(z.boolean().optional(), {
      doc: "Update the state before the plan.",
      default: true,
      immutable: true,
    }),
    targetAddrs: addresses(
      "Resource addresses: plan only these resources and those that they depend on. Default: all.",
    ),
    replaceAddrs: addresses("Resource addresses: plan to replace these resources. Default: none."),
    variables: field(z.record(z.string().min(1), z.string()).optional(), {
      doc: 'Terraform variables of this run, each as an HCL expression, such as `"text"`. They take precedence over the variables of the workspace. Default: none.',
      immutable: true,
    }),
    terraformVersion: field(z.string().min(1).optional(), {
      doc: "Terraform version of the run, only with `planOnly`. Default: the version of the workspace.",
      immutable: true,
    }),
    triggers: field(z.array(z.unknown()).optional(), {
      doc: "Arbitrary values. Changing them queues another run. Default: none.",
      role: "steering",
      immutable: true,
    }),
    runId: field(z.string(), { doc: "ID of the run (`run-…`).", role: "server's", wire: "id" }),
    status: field(z.string(), {
      doc: "Status of the run, such as `planned`, `applied` or `planned_and_finished`.",
      role: "server's",
    }),
    hasChanges: field(z.boolean().optional(), {
      doc: "True if the plan has changes.",
      role: "server's",
    }),
    createdAt: field(z.string().optional(), { doc: "Creation time (ISO 8601).", role: "server's" }),
  },
  rules: [
    rule(
      ["terraformVersion", "planOnly"],
      (version, only) => version !== undefined && only !== true,
      "is only allowed with planOnly",
    ),
  ],
  // Another run may follow a failed one, so its ID is no part of the resource's.
  where: place("{workspaceId}"),
  notes: ({ step, inputs: { waitFor, planOnly } }) =>
    step === "create" && (waitFor ?? "applied") === "applied" && planOnly !== true
      ? ["the plan of the run is applied without a review; set waitFor: planned to leave it to someone else"]
      : [],
  life: procedure({
    proceed: queueAndFollow,
    refresh: readAgain,
    // The server keeps runs, and an applied run cannot be undone.
    end: async () => undefined,
    description: {
      proceeds:
        "A create queues one run and waits for its plan. With `waitFor: applied`, Quarterdeck applies the plan of this run only, and waits for the end. If the response to the queue request is lost, Quarterdeck finds the run by the random ID in its message. OTF stores no messages: there it reports an error, and queues no other run. If the run fails, is canceled or is discarded, the resource is partially created, and the next `pulumi up` queues another run. If the wait exceeds the timeout, the next `pulumi up` continues to wait for the same run.",
      refreshes:
        "A refresh reads the status of the run. A run that the server no longer shows keeps its last status.",
      ends: "A delete sends nothing: the run stays. Discard a run that still waits for confirmation on the server.",
    },
  }),
});
