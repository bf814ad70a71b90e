import { z } from "zod";
import {
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  isGiven,
  type Naming,
  object,
  place,
  post,
  replaces,
  requiredText,
  rule,
  text,
} from "../../core";
import { copiedPlace, descriptionField, goneWith, nameField, namesIn, regionField } from "./copied";
import { inRegion, scheduler } from "./service";
import { unit } from "./unit";

const path = "/acl/policy/{name}";

const policyName: Naming = {
  problem: (name) =>
    name === "self" ? "must not be self: Nomad returns the token's own policies at this path" : undefined,
};

/** An ACL policy (Nomad's API documentation, "ACL Policies"; Nomad 2.0.5, `nomad/structs/acl.go`). */
export default define({
  token: "scheduler:AclPolicy",
  product: {
    noun: "Nomad ACL policy",
    terraform: "`nomad_acl_policy`",
    docs: "https://developer.hashicorp.com/nomad/api-docs/acl/policies",
  },
  doc: "A Nomad ACL policy: rules that tokens, roles or the tasks of a job can have. The server needs ACLs enabled. Nomad has no check-and-set for policies, so Quarterdeck reads and compares the policy just before a write. The token needs to be a management token.",
  section: "API: ACL policies of Nomad",
  service: scheduler,
  fields: {
    ...commonFields,
    name: nameField(/^[a-zA-Z0-9-]{1,128}$/, "letters, digits and `-`, at most 128", "Name of the policy"),
    region: regionField,
    description: descriptionField,
    rules: field(z.string().min(1), {
      doc: "Rules in HCL or JSON. The text is compared as it is stored.",
    }),
    jobAcl: unit(
      {
        namespace: requiredText("Namespace whose jobs have the policy."),
        jobId: text("One job of the namespace, by its ID.", "JobID"),
        group: text("Task group of the job. Requires `jobId`."),
        task: text("Task of the group. Requires `group`."),
      },
      {
        doc: "Job whose tasks have the policy: the jobs of a namespace, one job, a task group or a task. Managed as one unit.",
        wire: "JobACL",
      },
      true,
    ),
  },
  rules: [
    rule(
      ["jobAcl.jobId", "jobAcl.group"],
      (job, group) => isGiven(group) && !isGiven(job),
      "is required if jobAcl.group is set",
    ),
    rule(
      ["jobAcl.group", "jobAcl.task"],
      (group, task) => isGiven(task) && !isGiven(group),
      "is required if jobAcl.task is set",
    ),
  ],
  where: place("[{region}@]{name}", { ...copiedPlace, names: { name: policyName } }),
  life: object({
    reads: {
      one: get(path, { query: inRegion }),
      expects: { named: { name: "Name" } },
      absence: goneWith("ACL policy not found"),
      list: namesIn("/acl/policies"),
    },
    writes: replaces({
      create: post(path, { query: inRegion, expects: "index" }),
      // The server computes them.
      neverSentBack: ["Hash", "RulesJSON", "CreateIndex", "ModifyIndex"],
    }),
    deletion: deletes(del(path, { query: inRegion, expects: "index" })),
  }),
});
