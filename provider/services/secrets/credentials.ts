import { z } from "zod";
import type { Route, Values } from "../../core/define";
import { field } from "../../core/facts";
import { defineFunction, type FunctionDefinition, functionFields } from "../../core/functions/define";
import { isObject, type Json } from "../../core/json";
import { type CallContext, send } from "../../core/steps/context";
import { errorFrom, isSuccess } from "../../core/steps/observe";
import { addressOf, knownAddress } from "../../core/steps/resource";
import { optionalDuration, secondsIn } from "./durations";
import { mountFallback, mountField } from "./mounts";
import { documented } from "./results";
import { secrets } from "./service";

const name = (whose: string) =>
  field(z.string().min(1), { doc: `The name of the ${whose}.`, identity: true, place: "address" });

const secret = (doc: string) => field(z.string().optional(), { doc, secret: true });
const plain = (doc: string) => field(z.string().optional(), { doc });

const LONGEST_SESSION_NAME = 64;

const lease = {
  leaseId: plain("The lease under which they were made."),
  leaseDuration: field(z.number().optional(), { doc: "Seconds until the lease ends." }),
  renewable: field(z.boolean().optional(), { doc: "Whether the lease can be renewed." }),
} as const;

/** A kind of credentials of one engine. */
interface Issuing extends Pick<FunctionDefinition, "token" | "doc" | "section" | "fields" | "result"> {
  readonly engine: Parameters<typeof mountField>[0];
  /** What its caller should know before it is sent. */
  warns?(args: Values): string | undefined;
  /** The request, by the arguments. */
  route(args: Values): Route;
  /** What goes along with it: in the query of a GET, in the body of a POST. */
  parameters?(args: Values): Readonly<Record<string, string | undefined>>;
  /** Each call makes new ones, so a call is never sent twice. Otherwise they are only read. */
  readonly isFresh: boolean;
}

function issuing({ engine, fields, token, doc, section, result, ...asking }: Issuing): FunctionDefinition {
  const definition: FunctionDefinition = defineFunction({
    token,
    doc,
    section,
    result,
    service: secrets,
    fields: { mount: mountField(engine), ...fields, ...functionFields },
    fallsBack: mountFallback(engine),
    isCredential: true,
    asks: { kind: "once", call: (context, args) => issued(definition, context, args, asking) },
  });
  return definition;
}

type Asking = Pick<Issuing, "route" | "parameters" | "warns" | "isFresh">;

async function issued(
  definition: FunctionDefinition,
  context: CallContext,
  args: Values,
  { route, parameters, warns, isFresh }: Asking,
): Promise<Values> {
  const address = knownAddress(addressOf(definition, context.connection, args));
  const asked = route(args);
  const given = parameters?.(args) ?? {};
  const warning = warns?.(args);
  if (warning !== undefined) context.log("warning", warning);
  const answer = await send(context, asked, address, {
    nature: isFresh ? "single-use" : "read",
    ...(asked.method === "GET" ? { query: given } : { body: definedOf(given) }),
  });
  if (!isSuccess(answer)) throw errorFrom(context, answer, asked, address);
  const envelope = isObject(answer.json) ? answer.json : {};
  return documented(definition, { ...secrets.open(envelope), ...leaseIn(envelope) });
}

function leaseIn(envelope: { readonly [member: string]: Json }): { [member: string]: Json } {
  const { lease_id: id, lease_duration: duration, renewable } = envelope;
  if (typeof id !== "string" || id === "") return {};
  return { lease_id: id, lease_duration: duration ?? null, renewable: renewable ?? null };
}

function definedOf(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

const getQueueCredentials = issuing({
  token: "secrets:getQueueCredentials",
  doc: "Makes a user of the message queue by a role.",
  section: "A2. Message-queue engine",
  engine: "queue",
  fields: { name: name("role") },
  result: { username: plain("The user's name."), password: secret("The user's password."), ...lease },
  route: () => ({ method: "GET", path: "/{+mount}/creds/{name}" }),
  isFresh: true,
});

const getCloudCredentials = issuing({
  token: "secrets:getCloudCredentials",
  doc: "Makes cloud credentials by a role.",
  section: "A5. Cloud engine, Generate credentials",
  engine: "cloud",
  fields: {
    name: name("role"),
    endpoint: field(z.enum(["creds", "sts"]).optional(), {
      doc: "Which of the two endpoints makes them. A legacy role makes users by `creds`, and sessions by `sts`.",
      local: true,
      default: "creds",
    }),
    roleArn: field(z.string().min(1).optional(), {
      doc: "The ARN to assume; one that the role allows. Only where the role allows exactly one may it be left out. For roles of the type `assumed_role`.",
      local: true,
    }),
    roleSessionName: field(z.string().min(1).optional(), {
      doc: "The session's name; the service cuts it at 64 characters, and makes one up where none is given.",
      local: true,
    }),
    ttl: optionalDuration({
      doc: "How long they shall hold, for the types `assumed_role`, `federation_token` and `session_token`. Default: the role's own, else an hour.",
      local: true,
      least: 1,
    }),
    mfaCode: field(z.string().min(1).optional(), {
      doc: "The code of the MFA device; required where the role names one.",
      local: true,
      secret: true,
    }),
  },
  warns: ({ roleSessionName: session }) =>
    typeof session === "string" && session.length > LONGEST_SESSION_NAME
      ? `roleSessionName has ${session.length} characters; the service cuts it after ${LONGEST_SESSION_NAME}`
      : undefined,
  result: {
    accessKey: plain("The access key's id."),
    secretKey: secret("The secret access key."),
    sessionToken: secret("The session's token; none for users."),
    arn: plain("The ARN that was assumed."),
    ...lease,
  },
  route: ({ endpoint }) =>
    endpoint === "sts"
      ? { method: "POST", path: "/{+mount}/sts/{name}" }
      : { method: "GET", path: "/{+mount}/creds/{name}" },
  parameters: ({ roleArn, roleSessionName, ttl, mfaCode }) => ({
    role_arn: text(roleArn),
    role_session_name: text(roleSessionName),
    ttl: secondsIn(ttl) === undefined ? undefined : `${secondsIn(ttl)}s`,
    mfa_code: text(mfaCode),
  }),
  isFresh: true,
});

const getCloudStaticCredentials = issuing({
  token: "secrets:getCloudStaticCredentials",
  doc: "Reads the current credentials of a cloud static role.",
  section: "A5. Cloud engine",
  engine: "cloud",
  fields: { name: name("static role") },
  result: { accessKey: plain("The access key's id."), secretKey: secret("The secret access key.") },
  route: () => ({ method: "GET", path: "/{+mount}/static-creds/{name}" }),
  isFresh: false,
});

const getDirectoryStaticCredentials = issuing({
  token: "secrets:getDirectoryStaticCredentials",
  doc: "Reads the current password of a directory static role.",
  section: "A6. Directory engine",
  engine: "directory",
  fields: { roleName: name("static role") },
  result: {
    username: plain("The account's name."),
    dn: plain("The entry's distinguished name."),
    password: secret("The current password."),
    lastPassword: secret("The password before."),
    lastVaultRotation: plain("When the password was rotated last (RFC 3339)."),
    rotationPeriod: field(z.number().optional(), { doc: "Seconds from one rotation to the next." }),
    ttl: field(z.number().optional(), { doc: "Seconds until the next rotation." }),
  },
  route: () => ({ method: "GET", path: "/{+mount}/static-cred/{roleName}" }),
  isFresh: false,
});

const getDirectoryCredentials = issuing({
  token: "secrets:getDirectoryCredentials",
  doc: "Makes a directory account by a dynamic role.",
  section: "A6. Directory engine",
  engine: "directory",
  fields: { roleName: name("dynamic role") },
  result: {
    username: plain("The account's name."),
    password: secret("The account's password."),
    distinguishedNames: field(z.array(z.string()).optional(), { doc: "The entries that were made." }),
    ...lease,
  },
  route: () => ({ method: "GET", path: "/{+mount}/creds/{roleName}" }),
  isFresh: true,
});

/** The functions that hand out credentials: Output form only, always secret. */
export default {
  getQueueCredentials,
  getCloudCredentials,
  getCloudStaticCredentials,
  getDirectoryStaticCredentials,
  getDirectoryCredentials,
};
