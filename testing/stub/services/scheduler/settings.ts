import { z } from "zod";
import { loginOf } from "../../logins";
import type { SchedulerSwitches } from "./switches";

/** The shape of {@link SchedulerSwitches}, which says what each is. */
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
}) satisfies z.ZodType<SchedulerSwitches>;
export type Switches = Readonly<z.output<typeof Switches>>;

/** The permissions that the specification and its real counterpart name, in the specification's words. */
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
]);
export type Capability = z.output<typeof Capability>;

const Token = z.strictObject({
  /** Who the token is, in `SchedTokenID`; a fixed id where none is given. */
  accessor: z.string().default("00000000-0000-0000-0000-000000000001"),
  /** A management token may do everything. */
  management: z.boolean().default(false),
  /** Capabilities by namespace; a name may hold `*`, and the closest name counts. */
  namespaces: z.record(z.string(), z.array(Capability)).default({}),
});
export type Token = Readonly<z.output<typeof Token>>;

const Outcome = z.strictObject({
  namespace: z.string().default("default"),
  job: z.string(),
  /** Every group where none is named. */
  group: z.string().nullable().default(null),
  /** Every version where none is named. */
  version: z.int().nonnegative().nullable().default(null),
  /**
   * `fails`: the tasks stop with an error soon after their start. `fails-once`: the same, and those that are placed in
   * their stead live. `never-healthy`: they run, and no check of theirs ever passes. `unplaceable`: no node can take
   * them. `lives`: as without an outcome.
   */
  outcome: z.enum(["fails", "fails-once", "never-healthy", "unplaceable", "lives"]),
});
export type Outcome = Readonly<z.output<typeof Outcome>>;

const JobSeed = z.strictObject({
  /** As in the body of a registration. */
  Job: z.record(z.string(), z.unknown()),
  Submission: z.record(z.string(), z.unknown()).optional(),
});

/** What is known before the first request, or added by a test in between; per region. */
export const Seed = z.strictObject({
  /** By secret id. */
  tokens: z.record(z.string(), Token.prefault({})).default({}),
  /** What may log in. */
  logins: z.array(loginOf(Token.prefault({}))).default([]),
  /** Besides the agent's own. A region has its own namespaces and jobs, and all know the same tokens. */
  regions: z.array(z.string()).default([]),
  /** The region that the rest of this seed is for; the agent's own where none is named. */
  region: z.string().optional(),
  /** Besides `default`. */
  namespaces: z.array(z.string()).default([]),
  /** Besides `default` and `all`. */
  nodePools: z.array(z.string()).default([]),
  /** Applied in order; the last one that fits a group counts. */
  outcomes: z.array(Outcome).default([]),
  /** Registered one after another. */
  jobs: z.array(JobSeed).default([]),
});
export type Seed = Readonly<z.output<typeof Seed>>;
