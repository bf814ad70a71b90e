import { z } from "zod";
import {
  commonFields,
  define,
  del,
  deletes,
  type Facts,
  field,
  get,
  object,
  place,
  post,
  replaces,
  text,
} from "../../core";
import { copiedPlace, descriptionField, goneWith, listOf, metaField, nameField, regionField } from "./copied";
import { enterpriseNotes } from "./enterprise";
import { namespaceInUse } from "./inUse";
import { inRegion, scheduler } from "./service";
import { unit } from "./unit";

const path = "/namespace/{name}";

const names = (doc: string, toWrite?: string, more: Pick<Facts, "leftOut"> = {}) =>
  field(z.array(z.string().min(1)).optional(), {
    doc,
    unordered: true,
    ...(toWrite && { toWrite }),
    ...more,
  });

/** The node pools, Vault clusters or Consul clusters of a namespace. */
const governed = (what: string) =>
  unit(
    {
      default: text(`${what} of a job that names none.`),
      allowed: names(
        `${what}s that jobs may use; \`*\` in a name matches any characters. An empty list allows only the default. Not valid with \`denied\`.`,
        "Default: all.",
        { leftOut: {} },
      ),
      denied: names(
        `${what}s that jobs may not use; \`*\` in a name matches any characters. Not valid with \`allowed\`.`,
      ),
    },
    { doc: `${what}s for the jobs of the namespace. Managed as one unit. Requires Nomad Enterprise.` },
  );

const claims = (who: string) =>
  field(z.record(z.string().min(1), z.string()).optional(), {
    doc: `Claims, with their values, that ${who}. Managed as one unit. Servers before Nomad 2.0.3 ignore them.`,
    empty: {},
  });

/** A namespace (Nomad's API documentation, "Namespaces"; Nomad 2.0.5, `nomad/structs`). */
export default define({
  token: "scheduler:Namespace",
  product: {
    noun: "Nomad namespace",
    terraform: "`nomad_namespace`",
    docs: "https://developer.hashicorp.com/nomad/api-docs/namespaces",
  },
  doc: "A Nomad namespace: a group of jobs and variables with their own access rules. Nomad has no check-and-set for namespaces, so Quarterdeck reads and compares the namespace just before a write. The token needs to be a management token.",
  section: "API: namespaces",
  service: scheduler,
  fields: {
    ...commonFields,
    name: nameField(
      /^[a-zA-Z0-9-]{1,128}$/,
      "letters, digits and hyphens, at most 128",
      "Name of the namespace",
    ),
    region: regionField,
    description: descriptionField,
    quota: field(z.string().optional(), {
      doc: "Quota that limits the jobs of the namespace. Requires Nomad Enterprise. Nomad does not delete a namespace with a quota: remove this property first.",
      empty: "",
    }),
    meta: metaField,
    capabilities: unit(
      {
        enabledTaskDrivers: names("Task drivers that jobs may use.", "Default: all."),
        disabledTaskDrivers: names("Task drivers that jobs may not use."),
        enabledNetworkModes: names("Network modes that jobs may use.", "Default: all."),
        disabledNetworkModes: names("Network modes that jobs may not use."),
      },
      {
        doc: "Task drivers and network modes of the jobs. Nomad checks them when a job is registered. Managed as one unit.",
      },
      true,
    ),
    nodePoolConfiguration: governed("Node pool"),
    vaultConfiguration: governed("Vault cluster"),
    consulConfiguration: governed("Consul cluster"),
    requiredExtraClaims: claims("all workload identities of the namespace have"),
    optionalExtraClaims: claims("a workload identity has if its job names the claim in `extraClaims`"),
  },
  where: place("[{region}@]{name}", copiedPlace),
  life: object({
    reads: {
      one: get(path, { query: inRegion }),
      expects: { named: { name: "Name" } },
      absence: goneWith("Namespace not found"),
      list: listOf("/namespaces", (name) =>
        name === "default" ? "every cluster has it; to manage it, set adopt: true" : undefined,
      ),
    },
    writes: replaces({
      create: post(path, { query: inRegion, expects: "index" }),
      // The server computes them.
      neverSentBack: ["Hash", "CreateIndex", "ModifyIndex"],
    }),
    deletion: deletes(del(path, { query: inRegion, expects: "index" }), {
      doc: "Nomad rejects the delete while the namespace contains jobs or allocations that have not ended, volumes or variables, or has a quota. The namespace `default` cannot be deleted: set the resource option `retainOnDelete`.",
    }),
    blocked: namespaceInUse,
  }),
  notes: enterpriseNotes(["quota", "nodePoolConfiguration", "vaultConfiguration", "consulConfiguration"]),
});
