import { z } from "zod";
import {
  commonFields,
  define,
  del,
  deletesChecked,
  field,
  get,
  object,
  place,
  post,
  replaces,
  setting,
} from "../../core";
import { goneWith } from "./copied";
import { inScope as query, scheduler } from "./service";
import { variableCheck } from "./variableCheck";
import { variableListing } from "./variableListing";
import { variablePath } from "./variablePath";

const path = "/var/{+path}";

/** The most bytes of the names and values of all items (Nomad, `structs.VariableDecrypted`). */
const LARGEST = 65_536;

const sizeOf = (items: Readonly<Record<string, unknown>>) =>
  Object.entries(items).reduce(
    // A value from an external source is not a string yet.
    (sum, [name, value]) =>
      sum + Buffer.byteLength(name) + (typeof value === "string" ? Buffer.byteLength(value) : 0),
    0,
  );

/** A variable (Nomad's API documentation, "Variables"; Nomad 2.0.5, `nomad/structs/variables.go`). */
export default define({
  token: "scheduler:Variable",
  product: {
    noun: "Nomad variable",
    terraform: "`nomad_variable`",
    docs: "https://developer.hashicorp.com/nomad/api-docs/variables/variables",
  },
  doc: "A Nomad variable: secret items at a path, which tasks read in templates. Every write is checked against the variable's modify index. The token needs `variables:read`, `variables:write` and `variables:destroy`. An import also accepts the ID `{namespace}/{path}` with `%2F` for each slash of the path.",
  section: "API: variables",
  service: scheduler,
  fields: {
    ...commonFields,
    path: field(variablePath, {
      doc: "Path of the variable: letters, digits, `-`, `_`, `~` and `/`, at most 128 characters. Tasks of a job may read `nomad/jobs`, `nomad/jobs/<job>` and the paths below it.",
      role: "identity",
      location: "address",
    }),
    namespace: field(z.string().min(1).optional(), {
      doc: "Namespace in which tasks may read the variable.",
      toWrite: "Default: the connection's, then `default`.",
      role: "identity",
      location: "address",
    }),
    region: field(z.string().min(1).optional(), {
      doc: "Region whose servers store the variable.",
      toWrite: "Default: the connection's, then the agent's.",
      location: "address",
    }),
    items: field(
      z
        .record(z.string().min(1), z.string())
        .refine((items) => Object.keys(items).length > 0, "must have at least one item")
        .refine((items) => sizeOf(items) <= LARGEST, "must have at most 64 KiB of names and values"),
      {
        doc: "Items, by your own names. Every value is secret. At most 64 KiB in total.",
        toWrite: "Managed as one unit: an update removes items that someone else added.",
        document: { secret: ["*"], exact: true },
      },
    ),
    modifyIndex: field(z.string().optional(), {
      doc: "Modify index of the variable for check-and-set, as a string.",
      role: "server's",
    }),
  },
  where: place("[{region}@]{namespace=default}/{path}", {
    defaults: { namespace: setting("namespace", { unset: "default" }), region: setting("region") },
    fromResponse: { namespace: "Namespace", path: "Path" },
  }),
  life: object({
    reads: {
      one: get(path, { query }),
      expects: { named: { path: "Path" } },
      absence: goneWith("variable not found"),
      list: variableListing,
    },
    writes: replaces({
      create: post(path, { query, expects: ["Path", "ModifyIndex"] }),
      returns: "object",
      // The server sets them. Only the holder of a lock may send it.
      neverSentBack: ["Namespace", "Path", "Lock", "CreateIndex", "CreateTime", "ModifyIndex", "ModifyTime"],
    }),
    check: variableCheck,
    deletion: deletesChecked(del(path, { query, expects: "nothing" })),
  }),
});
