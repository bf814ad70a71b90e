import { z } from "zod";
import { type Facts, field, type Json, type Route, type Specified, type Values, words } from "../../../core";
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
  readonly needed: Extract<Route["answers"], readonly string[]>;
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
    doc: `The name by which the engine knows the ${whose}.`,
    role: "identity",
    location: "address",
  });

const text = (doc: string, more: Omit<Facts, "doc">) => field(z.string().optional(), { ...more, doc });

/** RabbitMQ users. */
export const queueUsers: Fresh = {
  engine: "queue",
  section: "A2. Message-queue engine",
  makes: "a user of the broker, which is there until its lease ends",
  fields: () => ({ name: roleName("role") }),
  result: (more) => ({
    username: text("The user's name.", more),
    password: text("The user's password.", { ...more, secret: true }),
  }),
  needed: ["username", "password"],
  route: () => ({ method: "GET", path: "/{+mount}/creds/{name}" }),
};

/** AWS users and sessions. */
export const cloudKeys: Fresh = {
  engine: "cloud",
  section: "A5. Cloud engine, Generate credentials",
  makes: "a user of the cloud, which is there until its lease ends, or a session, which ends by itself",
  fields: (more) => ({
    name: roleName("role"),
    endpoint: field(words({ creds: "The one for users.", sts: "The one for sessions." }).optional(), {
      ...more,
      doc: "Which of the two endpoints makes them. A legacy role makes users by `creds`, and sessions by `sts`.",
      role: "steering",
      default: "creds",
    }),
    roleArn: field(z.string().optional(), {
      ...more,
      doc: "The ARN to assume; one that the role allows. Only where the role allows exactly one may it be left out. For roles of the type `assumed_role`.",
      role: "steering",
    }),
    roleSessionName: field(z.string().optional(), {
      ...more,
      doc: "The session's name; the service cuts it at 64 characters, and makes one up where none is given.",
      role: "steering",
    }),
    ttl: optionalDuration({
      ...more,
      doc: "How long they shall hold, for the types `assumed_role`, `federation_token` and `session_token`. Default: the role's own, else an hour.",
      role: "steering",
    }),
    // A code is valid for one request, so a changed code does not issue new credentials.
    mfaCode: field(z.string().optional(), {
      doc: "The code of the MFA device; required where the role names one.",
      role: "steering",
      secret: true,
    }),
  }),
  result: (more) => ({
    accessKey: text("The id of the access key that was made.", more),
    secretKey: text("The secret access key.", { ...more, secret: true }),
    sessionToken: text("The session's token; none for users.", { ...more, secret: true }),
    arn: text("The ARN that was assumed.", more),
  }),
  needed: ["access_key", "secret_key"],
  warns: ({ roleSessionName: session }) =>
    typeof session === "string" && session.length > LONGEST_SESSION_NAME
      ? `roleSessionName has ${session.length} characters; the service cuts it after ${LONGEST_SESSION_NAME}`
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
  makes: "an account of the directory, which is there until its lease ends",
  fields: () => ({ roleName: roleName("dynamic role") }),
  result: (more) => ({
    username: text("The account's name.", more),
    password: text("The account's password.", { ...more, secret: true }),
    distinguishedNames: field(z.array(z.string()).optional(), {
      ...more,
      doc: "The entries that were made.",
    }),
  }),
  needed: ["username", "password"],
  route: () => ({ method: "GET", path: "/{+mount}/creds/{roleName}" }),
};

function textOf(value: Json | undefined): string | undefined {
  return (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;
}
