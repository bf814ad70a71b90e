import { z } from "zod";
import {
  type Dialect,
  FORWARDING,
  field,
  type HttpAnswer,
  isObject,
  isPlainTextError,
  loginSetting,
  type TellingService,
} from "../../core";
import { issuedToken } from "../issuedToken";
import { rights } from "./rights";

/** The specification's own names. */
export const neutral: Dialect = {
  answerHeaders: /^x-sched-/,
  headers: {
    token: "X-Sched-Token",
    index: "X-Sched-Index",
    nextToken: "X-Sched-Nexttoken",
    lastContact: "X-Sched-LastContact",
    knownLeader: "X-Sched-KnownLeader",
  },
};

/** A job stands alone in an answer, under `Job` in a register, and in lists of versions. */
const JOB_AT = ["", "Job.", "Versions.*."];

/**
 * What the product calls members of a job, and of what the service keeps of it. `Secrets` is a list of its own there; the
 * specification knows no such list, and so has no name for it.
 */
const productMembers: NonNullable<Dialect["members"]> = Object.fromEntries([
  ["*.TaskStates.{}.Events.*.SecretsError", "VaultError"],
  ...JOB_AT.flatMap((at) => [
    [`${at}SecretsToken`, "VaultToken"],
    [`${at}SecretsNamespace`, "VaultNamespace"],
    [`${at}MeshToken`, "ConsulToken"],
    [`${at}MeshNamespace`, "ConsulNamespace"],
    [`${at}SchedTokenID`, "NomadTokenID"],
    [`${at}TaskGroups.*.Mesh`, "Consul"],
    [`${at}TaskGroups.*.Tasks.*.Mesh`, "Consul"],
    [`${at}TaskGroups.*.Tasks.*.Templates.*.SecretsGrace`, "VaultGrace"],
    [`${at}TaskGroups.*.Tasks.*.Secrets`, "Vault"],
    [`${at}TaskGroups.*.Tasks.*.SecretBlocks`, "Secrets"],
  ]),
]);

/** The product's own names (wire facts, "Names"). */
export const real: Dialect = {
  program: "nomad",
  answerHeaders: /^x-nomad-/,
  login: { path: "/acl/login", tells: issuedToken },
  variables: {
    names: {
      address: ["NOMAD_ADDR"],
      token: ["NOMAD_TOKEN"],
      namespace: ["NOMAD_NAMESPACE"],
      region: ["NOMAD_REGION"],
      caFile: ["NOMAD_CACERT"],
      clientCertFile: ["NOMAD_CLIENT_CERT"],
      clientKeyFile: ["NOMAD_CLIENT_KEY"],
    },
  },
  headers: {
    token: "X-Nomad-Token",
    index: "X-Nomad-Index",
    nextToken: "X-Nomad-NextToken",
    lastContact: "X-Nomad-LastContact",
    knownLeader: "X-Nomad-KnownLeader",
  },
  members: productMembers,
};

/** How the parser refuses a variable of another type than the job's text declares. */
const WRONG_VARIABLE =
  /The value for "?([\w-]{1,128})"? is not compatible with the variable's type constraint/;
const LONGEST_REFUSAL = 10_000;

/** The scheduler (specification: Scheduler HTTP API, General conventions). */
export const scheduler: TellingService = {
  name: "scheduler",
  naming: "pascal",
  prefix: "/v1",
  rights,
  contentType: "application/json",
  settings: {
    login: loginSetting("its `parameters` are `AuthMethodName` and `LoginToken`."),
    namespace: field(z.string().min(1).optional(), {
      doc: "The namespace of resources that name none. Where none is given none is sent, and the token's own applies.",
    }),
    plan: field(z.boolean().optional(), {
      doc: "Whether a preview asks the scheduler what it would do with each job that is new or changed.",
      default: true,
    }),
    region: field(z.string().min(1).optional(), {
      doc: "The region to which requests are forwarded. Where none is given the agent's own applies.",
    }),
  },
  dialects: { neutral, real },
  headers: (settings, dialect) =>
    typeof settings.token === "string" ? { [dialect.headers.token ?? ""]: settings.token } : {},
  /** Errors are plain text, the message alone. */
  words: (answer) => answer.text.trim(),
  /** A register, a plan and a validation say in `Warnings` what is wrong with a job that they take all the same. */
  warnings: ({ json }) => {
    const text = isObject(json) ? json.Warnings : undefined;
    return typeof text === "string" && text.trim() !== "" ? [{ text: text.trim() }] : [];
  },
  answers: { POST: ["JobModifyIndex"], DELETE: ["JobModifyIndex"] },
  isOwnError: isPlainTextError,
  advice: ({ text }) => {
    const [, name] = WRONG_VARIABLE.exec(text.slice(0, LONGEST_REFUSAL)) ?? [];
    return name === undefined
      ? undefined
      : `Correct variables.${name}: write a list or a map as itself. JSON text, which Terraform's provider takes, is only text here.`;
  },
  leaderless: FORWARDING,
  errorKind: (answer) => {
    if (isLostCheck(answer)) return "checkAndSetLost";
    return isOfNoRegion(answer) ? "invalid" : undefined;
  },
  open: (answer) => (isObject(answer) ? answer : {}),
  gone: {
    evidence: 'the service answers 404 "job not found"',
    shows: (answer) => answer.status === 404 && /job not found/i.test(answer.text),
  },
  dictionaries: () => (require("./dictionary") as typeof import("./dictionary")).default,
};

/** A lost check-and-set is a 500 whose text says so; no other 500 is. */
export function isLostCheck(answer: HttpAnswer): boolean {
  return answer.status === 500 && /Enforcing job modify index \d+: job /.test(answer.text);
}

/** A region that no server knows is a 500, too: nothing was forwarded anywhere. */
function isOfNoRegion({ status, text }: HttpAnswer): boolean {
  return status === 500 && text.trim() === "No path to region";
}

/** Where every request about jobs goes. */
export const inScope = { namespace: "{namespace}", region: "{region}" } as const;
