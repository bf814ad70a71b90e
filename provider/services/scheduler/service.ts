import { z } from "zod";
import {
  type Dialect,
  FORWARDING,
  field,
  type HttpResponse,
  isObject,
  isPlainTextError,
  loginSetting,
  type ServiceWithAbsenceProof,
} from "../../core";
import { issuedToken } from "../issuedToken";
import { permissions } from "./permissions";

/** The specification's own names. */
export const neutral: Dialect = {
  responseHeaders: /^x-sched-/,
  headers: {
    token: "X-Sched-Token",
    index: "X-Sched-Index",
    nextToken: "X-Sched-Nexttoken",
    lastContact: "X-Sched-LastContact",
    knownLeader: "X-Sched-KnownLeader",
  },
};

/** The places of a job: alone in a response, under `Job` in a register, and in lists of versions. */
const JOB_AT = ["", "Job.", "Versions.*."];

/**
 * Nomad's names for the members of a job and of its records. Nomad has a separate list called `Secrets`. The specification
 * does not have that list, and so does not name it.
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

/** Nomad's own names (wire facts, "Names"). */
export const real: Dialect = {
  program: "nomad",
  responseHeaders: /^x-nomad-/,
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

/** The parser's error for a variable whose type differs from its declaration in the HCL. */
const WRONG_VARIABLE =
  /The value for "?([\w-]{1,128})"? is not compatible with the variable's type constraint/;
const LONGEST_REFUSAL = 10_000;

/** Nomad (specification: Scheduler HTTP API, General conventions). */
export const scheduler: ServiceWithAbsenceProof = {
  name: "scheduler",
  products: { server: "Nomad", names: "Nomad" },
  naming: "pascal",
  prefix: "/v1",
  permissions,
  contentType: "application/json",
  settings: {
    login: loginSetting("its `parameters` are `AuthMethodName` and `LoginToken`."),
    namespace: field(z.string().min(1).optional(), {
      doc: "Namespace of resources that set no namespace. If it is not set, the token's namespace applies.",
    }),
    plan: field(z.boolean().optional(), {
      doc: "Show Nomad's plan for each new or changed job in the preview.",
      default: true,
    }),
    region: field(z.string().min(1).optional(), {
      doc: "Region that requests are forwarded to. If it is not set, the agent's region applies.",
    }),
  },
  dialects: { neutral, real },
  headers: (settings, dialect) =>
    typeof settings.token === "string" ? { [dialect.headers.token ?? ""]: settings.token } : {},
  /** An error body is plain text: only the message. The body of a conflict is a variable with its secrets. */
  errorMessage: (answer) => (isObject(answer.json) ? "" : answer.text.trim()),
  /** The responses to a register, a plan and a validation list the problems of an accepted job in `Warnings`. */
  warnings: ({ json }) => {
    const text = isObject(json) ? json.Warnings : undefined;
    return typeof text === "string" && text.trim() !== "" ? [{ text: text.trim() }] : [];
  },
  expectedResponses: { POST: ["JobModifyIndex"], DELETE: ["JobModifyIndex"] },
  isOwnError: isPlainTextError,
  advice: ({ text }) => {
    if (text.trim() === "can not delete default namespace")
      return "Set the resource option retainOnDelete to remove the resource from the state only.";
    if (/^\t\* namespace "[^"\n]*" has quotas associated with it/m.test(text.slice(0, LONGEST_REFUSAL)))
      return "Remove quota from the program and run pulumi up before you delete the namespace.";
    const [, name] = WRONG_VARIABLE.exec(text.slice(0, LONGEST_REFUSAL)) ?? [];
    return name === undefined
      ? undefined
      : `Correct variables.${name}: pass a list or a map as a value. A JSON string, which the Terraform provider accepts, stays a string here.`;
  },
  leaderless: FORWARDING,
  errorKind: (answer) => {
    if (isLostCheck(answer)) return "checkAndSetLost";
    return isOfNoRegion(answer) || isValidation(answer) ? "invalid" : undefined;
  },
  unwrap: (answer) => (isObject(answer) ? answer : {}),
  absence: {
    evidence: 'Nomad returns 404 "job not found"',
    proves: (answer) => answer.status === 404 && /job not found/i.test(answer.text),
  },
  dictionaries: () => (require("./dictionary") as typeof import("./dictionary")).default,
};

/**
 * True if the check-and-set failed. For a job, Nomad then returns a 500 with this text, and no other 500 is a failed check. For a
 * variable, it returns a 409 with the variable as it is, or a text if it cannot show the variable.
 */
export function isLostCheck(answer: HttpResponse): boolean {
  if (answer.status === 409)
    return (
      (isObject(answer.json) && "ModifyIndex" in answer.json) || /^(rpc error: )?cas error:/.test(answer.text)
    );
  return answer.status === 500 && /Enforcing job modify index \d+: job /.test(answer.text);
}

/** True if no server knows the region: Nomad returns a 500 for this, too, and forwards nothing. */
function isOfNoRegion({ status, text }: HttpResponse): boolean {
  return status === 500 && text.trim() === "No path to region";
}

/** The texts of rejections that Nomad returns with a 500 before it stores anything. */
const VALIDATIONS = [
  /^Invalid namespace "/,
  /^namespace "[^"]*" using non-existent quota "/,
  /^can not delete default namespace/,
  /^Feature "[^"]*" is unlicensed/,
  /^volume validation failed: /,
  /^(cannot update|could not place) volume "/,
  /^validating volume "[^"\n]*" (update|against state) failed: /,
  /^volume \S+ in use by allocations: /,
  /^cannot register volume: /,
];

/** True if Nomad rejects an object before it stores anything, although it returns a 500. */
function isValidation({ status, text }: HttpResponse): boolean {
  return status === 500 && VALIDATIONS.some((says) => says.test(text.trim()));
}

/** The scope parameters of every request about jobs. */
export const inScope = { namespace: "{namespace}", region: "{region}" } as const;

/** The scope parameter of requests about objects that have no namespace. */
export const inRegion = { region: "{region}" } as const;
