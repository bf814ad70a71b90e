import { z } from "zod";
import {
  enumeration,
  type Facts,
  field,
  type Json,
  type Route,
  type Specified,
  type Values,
} from "../../../core";
import { optionalDuration, secondsIn } from "../durations";
import type { mountField } from "../mounts";

/** Credentials that an engine creates for each request. A function requests them, and a resource stores them. */
export interface Fresh {
  readonly engine: Parameters<typeof mountField>[0];
  readonly section: string;
  /** A description of the result of one request. */
  readonly makes: string;
  /** The input fields; `more` defines the effect of a change. */
  fields(more: Omit<Facts, "doc">): Specified["fields"];
  /** The result fields, by their names in a program, without the lease. */
  result(more: Omit<Facts, "doc">): Specified["fields"];
  /** The required members of a response, by wire name. Without them it contains no credentials. */
  readonly needed: Extract<Route["expects"], readonly string[]>;
  /** A warning for the caller, before the request is sent. */
  warns?(args: Values): string | undefined;
  /** The request for these arguments. */
  route(args: Values): Route;
  /** The parameters of the request: the query of a GET, or the body of a POST. */
  parameters?(args: Values): Readonly<Record<string, string | undefined>>;
}

const LONGEST_SESSION_NAME = 64;

export const roleName = (whose: string) =>
  field(z.string().min(1), {
    doc: `The name of the ${whose} in the secrets engine.`,
    role: "identity",
    location: "address",
  });

const text = (doc: string, more: Omit<Facts, "doc">) => field(z.string().optional(), { ...more, doc });

/** RabbitMQ users. */
export const queueUsers: Fresh = {
  engine: "queue",
  section: "A2. Message-queue engine",
  makes: "a RabbitMQ user, which exists until its lease ends",
  fields: () => ({ name: roleName("role") }),
  result: (more) => ({
    username: text("The name of the RabbitMQ user.", more),
    password: text("The password of the RabbitMQ user.", { ...more, secret: true }),
  }),
  needed: ["username", "password"],
  route: () => ({ method: "GET", path: "/{+mount}/creds/{name}" }),
};

/** AWS users and sessions. */
export const cloudKeys: Fresh = {
  engine: "cloud",
  section: "A5. Cloud engine, Generate credentials",
  makes: "an IAM user, which exists until its lease ends, or an STS session, which expires",
  fields: (more) => ({
    name: roleName("role"),
    endpoint: field(
      enumeration({ creds: "The endpoint for IAM users.", sts: "The endpoint for STS sessions." }).optional(),
      {
        ...more,
        doc: "The endpoint that issues the credentials. A legacy role issues users with `creds`, and sessions with `sts`.",
        role: "steering",
        default: "creds",
      },
    ),
    roleArn: field(z.string().optional(), {
      ...more,
      doc: "The ARN of the IAM role to assume, for the type `assumed_role`. Default: the ARN of the role, if it allows exactly one.",
      role: "steering",
    }),
    roleSessionName: field(z.string().optional(), {
      ...more,
      doc: "The session name, which the server truncates to 64 characters. Default: a name that the server generates.",
      role: "steering",
    }),
    ttl: optionalDuration({
      ...more,
      doc: "The TTL of the credentials, for the types `assumed_role`, `federation_token` and `session_token`. Default: the role's default TTL, else one hour.",
      role: "steering",
    }),
    // A code is valid for one request, so a changed code does not issue new credentials.
    mfaCode: field(z.string().optional(), {
      doc: "The code of the MFA device. Required if the role has an `mfaSerialNumber`.",
      role: "steering",
      secret: true,
    }),
  }),
  result: (more) => ({
    accessKey: text("The ID of the issued access key.", more),
    secretKey: text("The secret access key of the issued key.", { ...more, secret: true }),
    sessionToken: text("The STS session token. Missing for IAM users.", { ...more, secret: true }),
    arn: text("The ARN of the IAM role that was assumed.", more),
  }),
  needed: ["access_key", "secret_key"],
  warns: ({ roleSessionName: session }) =>
    typeof session === "string" && session.length > LONGEST_SESSION_NAME
      ? `roleSessionName has ${session.length} characters; the server truncates it to ${LONGEST_SESSION_NAME}`
      : undefined,
  route: ({ endpoint }) =>
    endpoint === "sts"
      ? { method: "POST", path: "/{+mount}/sts/{name}" }
      : { method: "GET", path: "/{+mount}/creds/{name}" },
  parameters: ({ roleArn, roleSessionName, ttl, mfaCode }) => ({
    role_arn: textOf(roleArn),
    role_session_name: textOf(roleSessionName),
    ttl: ttl === "" || secondsIn(ttl) === undefined ? undefined : `${secondsIn(ttl)}s`,
    mfa_code: textOf(mfaCode),
  }),
};

/** LDAP accounts. */
export const directoryAccounts: Fresh = {
  engine: "directory",
  section: "A6. Directory engine",
  makes: "an LDAP account, which exists until its lease ends",
  fields: () => ({ roleName: roleName("dynamic role") }),
  result: (more) => ({
    username: text("The user name of the LDAP account.", more),
    password: text("The password of the LDAP account.", { ...more, secret: true }),
    distinguishedNames: field(z.array(z.string()).optional(), {
      ...more,
      doc: "The distinguished names of the created entries.",
    }),
  }),
  needed: ["username", "password"],
  route: () => ({ method: "GET", path: "/{+mount}/creds/{roleName}" }),
};

function textOf(value: Json | undefined): string | undefined {
  return (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;
}
