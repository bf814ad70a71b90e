import { z } from "zod";
import { loginOf } from "../../logins";
import type { SchedulerSwitches } from "./switches";

/** The schema of {@link SchedulerSwitches}, which documents each switch. */
export const Switches = z.strictObject({
  dialect: z.enum(["neutral", "real"]).default("real"),
  acl: z.boolean().default(true),
  region: z.string().default("global"),
  validationStatus: z.union([z.literal(400), z.literal(500)]).default(400),
  injects: z
    .array(z.enum(["constraints", "sidecars", "identities"]))
    .default(["constraints", "sidecars", "identities"]),
  rpcPrefix: z.boolean().default(false),
  defaultPriority: z.int().positive().default(50),
  largestSubmission: z.int().positive().default(1_000_000),
  lastContactMilliseconds: z.int().nonnegative().default(0),
  knownLeader: z.boolean().default(true),
  nodes: z.int().positive().default(3),
  evaluationMilliseconds: z.int().nonnegative().default(50),
  startMilliseconds: z.int().nonnegative().default(200),
  healthyMilliseconds: z.int().nonnegative().nullable().default(null),
  batchMilliseconds: z.int().nonnegative().default(1000),
  volumeMilliseconds: z.int().nonnegative().default(0),
  enterprise: z.boolean().default(false),
}) satisfies z.ZodType<SchedulerSwitches>;
export type Switches = Readonly<z.output<typeof Switches>>;

/** The capabilities of the specification and of Nomad, with the specification's names. */
const Capability = z.enum([
  "list-jobs",
  "parse-job",
  "read-job",
  "submit-job",
  "plan-job",
  "dispatch-job",
  "read-job-scaling",
  "scale-job",
  "policy-override",
  "deny",
  "variables:list",
  "variables:read",
  "variables:write",
  "variables:destroy",
  "host-volume-read",
  "host-volume-create",
  "host-volume-register",
  "host-volume-delete",
]);
export type Capability = z.output<typeof Capability>;

const Token = z.strictObject({
  /** The token's accessor, shown in `SchedTokenID`; defaults to a fixed ID. */
  accessor: z.string().default("00000000-0000-0000-0000-000000000001"),
  /** A management token has every permission. */
  management: z.boolean().default(false),
  /** Capabilities by namespace; a name may contain `*`, and the closest match applies. */
  namespaces: z.record(z.string(), z.array(Capability)).default({}),
  /** Capabilities in every node pool. */
  nodePools: z.array(z.enum(["read", "write", "delete"])).default([]),
  /** True if the token may read the client nodes. */
  node: z.boolean().default(false),
});
export type Token = Readonly<z.output<typeof Token>>;

const Outcome = z.strictObject({
  namespace: z.string().default("default"),
  job: z.string(),
  /** Null means every group. */
  group: z.string().nullable().default(null),
  /** Null means every version. */
  version: z.int().nonnegative().nullable().default(null),
  /**
   * `fails`: the tasks stop with an error soon after their start. `fails-once`: the same, but their replacements run.
   * `never-healthy`: they run, but none of their checks ever passes. `unplaceable`: no node accepts them. `lives`: as
   * without an outcome.
   */
  outcome: z.enum(["fails", "fails-once", "never-healthy", "unplaceable", "lives"]),
});
export type Outcome = Readonly<z.output<typeof Outcome>>;

const JobSeed = z.strictObject({
  /** As in the body of a registration. */
  Job: z.record(z.string(), z.unknown()),
  Submission: z.record(z.string(), z.unknown()).optional(),
});

/** The state before the first request, or a test's later additions; per region. */
export const Seed = z.strictObject({
  /** By secret ID. */
  tokens: z.record(z.string(), Token.prefault({})).default({}),
  /** The identities that may log in. */
  logins: z.array(loginOf(Token.prefault({}))).default([]),
  /** In addition to the agent's own. Each region has its own namespaces and jobs; all regions share the tokens. */
  regions: z.array(z.string()).default([]),
  /** The region of the rest of this seed; defaults to the agent's own. */
  region: z.string().optional(),
  /** In addition to `default`. */
  namespaces: z.array(z.string()).default([]),
  /** In addition to `default` and `all`. */
  nodePools: z.array(z.string()).default([]),
  /** Applied in order; the last one that matches a group applies. */
  outcomes: z.array(Outcome).default([]),
  /** Registered in this order. */
  jobs: z.array(JobSeed).default([]),
});
export type Seed = Readonly<z.output<typeof Seed>>;
