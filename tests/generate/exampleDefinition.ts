import { z } from "zod";
import { commonFields } from "../../provider/core/language/commonFields";
import { deletes } from "../../provider/core/language/creation";
import { field } from "../../provider/core/language/facts";
import { place } from "../../provider/core/language/place";
import { define, object } from "../../provider/core/language/resource";
import { del, get, post, put } from "../../provider/core/language/route";
import { rule } from "../../provider/core/language/rules";
import type { ServiceWithAbsenceProof } from "../../provider/core/language/service";
import { replaces } from "../../provider/core/language/writes";
import { durationInSeconds } from "../../provider/core/value/spelling";

/** A fictional service, with members that have another name in one of its dialects. */
export const exampleService: ServiceWithAbsenceProof = {
  name: "harbour",
  products: { server: "the harbour", names: "Harbour" },
  naming: "snake",
  prefix: "/v1",
  permissions: [],
  contentType: "application/json",
  settings: { pilot: field(z.string().optional(), { doc: "Who steers in.", default: "Ida" }) },
  dialects: {
    neutral: { headers: {} },
    real: { headers: {}, members: { "Locks.*.Combination": "Code", Length: "Meters" } },
  },
  headers: () => ({}),
  expectedResponses: { POST: "nothing", PUT: "nothing", DELETE: "nothing" },
  isOwnError: () => false,
  errorMessage: ({ text }) => text,
  unwrap: () => ({}),
  absence: { evidence: "the harbour master says so", proves: () => true },
};

/** The life of a quay, for tests that extend it. */
export const exampleLifecycle = {
  reads: { one: get("/quays/{+name}"), expects: { named: {} } },
  writes: replaces({ create: post("/quays"), update: put("/quays/{name}") }),
  deletion: deletes(del("/quays/{+name}")),
} as const;

/** A definition with every kind of field and every fact. */
export const exampleDefinition = define({
  token: "harbour:Quay",
  doc: "A quay: where ships lie.",
  section: "Quays",
  service: exampleService,
  fields: {
    ...commonFields,
    name: field(z.string(), { doc: "The quay's name.", role: "identity", location: "address" }),
    port: field(z.string().optional(), { doc: "The port.", location: "address" }),
    key: field(z.string(), { doc: "The key.", secret: true, writeOnly: "every-write" }),
    hint: field(z.string().optional(), { doc: "A hint.", writeOnly: "when-changed" }),
    depth: field(z.number().optional(), { doc: "Meters of water.", default: 7 }),
    berths: field(z.int().optional(), { doc: "How many ships.", immutable: true }),
    light: field(z.boolean().optional(), {
      doc: "Whether it is lit.",
      default: false,
      resetsWhenOmitted: true,
    }),
    lamps: field(z.int().optional(), { doc: "The lamps.", immutable: { while: "light" }, notRestored: true }),
    side: field(z.enum(["north", "south"]).optional(), { doc: "Which side.", empty: null }),
    ships: field(z.array(z.string()).optional(), { doc: "The ships.", additive: true, unordered: true }),
    signs: field(z.record(z.string(), z.int()).optional(), { doc: "Signs by name.", notRestored: true }),
    rest: field(z.union([z.string(), z.array(z.string())]).optional(), {
      doc: "How long ships may lie.",
      spelling: durationInSeconds,
    }),
    tides: field(z.union([z.string(), z.number()]).optional(), { doc: "How high the water may rise." }),
    papers: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "The papers.",
    }),
    cranes: field(z.array(z.strictObject({ tons: field(z.int(), { doc: "What it lifts." }) })).optional(), {
      doc: "The cranes.",
    }),
    office: field(
      z
        .strictObject({
          street: field(z.string(), { doc: "The street." }),
          open: field(z.boolean().optional(), { doc: "Whether it is open.", default: true }),
        })
        .optional(),
      { doc: "The office. */ Nothing ends here." },
    ),
    plan: field(z.record(z.string(), z.unknown()).optional(), {
      doc: "The plan, with `Locks`.",
      document: { secret: ["Locks.*.Combination"] },
      empty: {},
    }),
    oldName: field(z.string().optional(), { doc: "What it was called.", deprecated: "write `name`." }),
    draught: field(z.string(), { doc: "What is measured.", role: "server's" }),
    tide: field(z.string().nullish(), { doc: "The tide, where there is one.", role: "server's" }),
    pass: field(z.string().optional(), { doc: "What opens the gate.", role: "server's", secret: true }),
  },
  rules: [
    rule(["berths", "depth"], (berths, depth) => berths !== undefined && depth === undefined, "needs depth"),
    rule(
      ["side", "light"],
      (side, light) => (side === "north" && light === false ? `must be lit on ${side}` : undefined),
      "must be lit on north",
    ),
    rule(["plan"], (plan) => plan !== undefined && "Locks" in Object(plan), "holds locks"),
    rule(["name", "port"], (name) => name === "unthinkable", "is unthinkable"),
  ],
  where: place("{port}/{name}"),
  life: object(exampleLifecycle),
});

/** The metadata of a package. */
export const packageFacts = {
  name: "pulumi-quarterdeck",
  version: "1.2.3",
  description: "Quays.",
  license: "Apache-2.0",
  keywords: ["quay"],
  homepage: "https://github.com/harbour/pulumi-quarterdeck#readme",
};
