import { z } from "zod";
import {
  commonFields,
  define,
  del,
  deletes,
  enumeration,
  factsOf,
  field,
  get,
  type Naming,
  object,
  place,
  post,
  replaces,
} from "../../core";
import { copiedPlace, descriptionField, goneWith, listOf, metaField, nameField, regionField } from "./copied";
import { enterpriseNotes } from "./enterprise";
import { nodePoolInUse } from "./inUse";
import { inRegion, scheduler } from "./service";
import { duration } from "./spec/duration";
import { unit } from "./unit";

const path = "/node/pool/{name}";

/** The pools that every cluster has, and that no one can change or delete. */
const BUILT_IN = ["default", "all"];

const ttl = duration("How long the identities of the pool's nodes are valid. Nomad before 1.11 ignores it.");

const nodePoolName: Naming = {
  problem: (name) =>
    BUILT_IN.includes(name)
      ? "must not be default or all: every cluster has these node pools, and Nomad rejects changes of them"
      : undefined,
};

/** A node pool (Nomad's API documentation, "Node Pools"; Nomad 2.0.5, `nomad/structs/node_pool.go`). */
export default define({
  token: "scheduler:NodePool",
  product: {
    noun: "Nomad node pool",
    terraform: "`nomad_node_pool`",
    docs: "https://developer.hashicorp.com/nomad/api-docs/node-pools",
  },
  doc: "A Nomad node pool: a group of client nodes on which jobs may run. Nomad has no check-and-set for node pools, so Quarterdeck reads and compares the node pool just before a write. The token needs the capabilities `read`, `write` and `delete` on the node pool.",
  section: "API: node pools",
  service: scheduler,
  fields: {
    ...commonFields,
    name: nameField(
      /^[a-zA-Z0-9-_]{1,128}$/,
      "letters, digits, `-` and `_`, at most 128",
      "Name of the node pool",
    ),
    region: regionField,
    description: descriptionField,
    meta: metaField,
    nodeIdentityTtl: field(ttl, { ...factsOf(ttl), wire: "NodeIdentityTTL", default: 86_400_000_000_000 }),
    schedulerConfiguration: unit(
      {
        schedulerAlgorithm: field(
          enumeration({
            binpack: "Fill a node before the next one.",
            spread: "Distribute allocations over the nodes.",
          }).optional(),
          {
            doc: "Algorithm that places allocations on the pool's nodes.",
            toWrite: "Default: the cluster's.",
          },
        ),
        memoryOversubscriptionEnabled: field(z.boolean().optional(), {
          doc: "Allow tasks to use more memory than they reserve.",
          toWrite: "Default: the cluster's setting.",
          leftOut: {},
        }),
      },
      {
        doc: "Settings of the scheduler for the pool. Managed as one unit. Requires Nomad Enterprise.",
      },
    ),
  },
  where: place("[{region}@]{name}", { ...copiedPlace, names: { name: nodePoolName } }),
  life: object({
    reads: {
      one: get(path, { query: inRegion }),
      expects: { named: { name: "Name" } },
      absence: goneWith("node pool not found"),
      list: listOf("/node/pools", (name) =>
        BUILT_IN.includes(name) ? "every cluster has it, and Nomad rejects changes of it" : undefined,
      ),
    },
    writes: replaces({
      create: post(path, { query: inRegion, expects: "index" }),
      // The server computes them.
      neverSentBack: ["Hash", "CreateIndex", "ModifyIndex"],
    }),
    deletion: deletes(del(path, { query: inRegion, expects: "index" }), {
      doc: "Nomad rejects the delete while the node pool contains nodes, or jobs that have not ended.",
    }),
    blocked: nodePoolInUse,
  }),
  notes: enterpriseNotes(["schedulerConfiguration"]),
});
