import type { StubResponse } from "../../../service";
import { absent, invalid, serverError } from "../errors";
import { isRecord } from "../fields";
import type { JsonMap } from "../json";
import {
  answer,
  answerKeys,
  type Endpoint,
  type EngineOperation,
  issueLease,
  NO_CONTENT,
} from "../operation";
import { generatePassword } from "../passwords";
import { render } from "../templates";
import type { QueueData } from "./records";

type QueueOperation = EngineOperation<QueueData>;

/** A2. Message-queue engine. */
export const queueEndpoints: readonly Endpoint<QueueOperation>[] = [
  { path: "config/connection", write: configureConnection },
  { path: "config/lease", replaces: true, read: readLease, write: configureLease },
  { path: "roles", list: (operation) => answerKeys(operation, operation.data.roles) },
  { path: "roles/:name", replaces: true, read: readRole, write: writeRole, remove: deleteRole },
  { path: "creds/:name", read: generateCredentials },
];

/** Each POST needs all of uri, username and password; a failed connection check is a 500. */
function configureConnection(operation: QueueOperation): StubResponse {
  const { fields, data, switches } = operation;
  const requireText = (name: string) => {
    const value = fields.string(name) ?? "";
    if (value === "") throw invalid(`missing ${name}`);
    return value;
  };
  const connection = {
    connectionUri: requireText("connection_uri"),
    username: requireText("username"),
    password: requireText("password"),
    passwordPolicy: fields.string("password_policy") ?? "",
    usernameTemplate: fields.string("username_template") ?? "",
  };
  if ((fields.boolean("verify_connection") ?? true) && switches.broker === "down") {
    throw serverError(
      `failed to validate the connection: dial ${connection.connectionUri}: connection refused`,
    );
  }
  renderUsername(operation, connection.usernameTemplate);
  data.connection.set("config", connection);
  return NO_CONTENT;
}

function configureLease({ fields, data }: QueueOperation): StubResponse {
  data.lease.set("config", {
    ttl: fields.duration("ttl") ?? 0,
    maxTtl: fields.duration("max_ttl") ?? 0,
  });
  return NO_CONTENT;
}

function readLease(operation: QueueOperation): StubResponse {
  const lease = operation.data.lease.get("config");
  if (lease === undefined) throw absent();
  return answer(operation, { ttl: lease.ttl, max_ttl: lease.maxTtl });
}

function readRole(operation: QueueOperation): StubResponse {
  const role = operation.data.roles.get(operation.params.name ?? "");
  if (role === undefined) throw absent();
  // "Empty = `{}` or null": Vault returns the former.
  const none = operation.switches.dialect === "real" ? {} : null;
  return answer(operation, {
    tags: role.tags,
    vhosts: role.vhosts ?? none,
    vhost_topics: role.vhostTopics ?? none,
  });
}

/** A POST replaces the complete role. */
function writeRole({ params, fields, data, switches }: QueueOperation): StubResponse {
  const tags = fields.string("tags") ?? "";
  const vhosts = fields.string("vhosts") ?? "";
  const topics = fields.string("vhost_topics") ?? "";
  if (tags === "" && vhosts === "") throw invalid("both tags and vhosts not specified");
  // The real product stores no difference between a map that was omitted and an empty one.
  const none = switches.dialect === "real" ? {} : null;
  data.roles.set(params.name ?? "", {
    tags,
    vhosts: parseMap("vhosts", vhosts, (value) => permissions(value, ["configure", "write", "read"])) ?? none,
    vhostTopics:
      parseMap("vhost_topics", topics, (exchanges) =>
        mapValues(exchanges, (value) => permissions(value, ["write", "read"])),
      ) ?? none,
  });
  return NO_CONTENT;
}

/** Deleting an absent role is a 204 too. */
function deleteRole({ params, data }: QueueOperation): StubResponse {
  data.roles.delete(params.name ?? "");
  return NO_CONTENT;
}

function generateCredentials(operation: QueueOperation): StubResponse {
  const { params, data, switches } = operation;
  const name = params.name ?? "";
  if (!data.roles.has(name)) throw invalid(`unknown role: ${name}`);
  const connection = data.connection.get("config");
  if (connection === undefined || switches.broker === "down") {
    throw serverError("failed to create a new user with the generated credentials");
  }
  const lease = data.lease.get("config") ?? { ttl: 0, maxTtl: 0 };
  const longest = lease.maxTtl === 0 ? switches.mountMaximumTtl : lease.maxTtl;
  const seconds = Math.min(lease.ttl === 0 ? switches.mountMaximumTtl : lease.ttl, longest);
  return answer(
    operation,
    {
      username: renderUsername(operation, connection.usernameTemplate),
      password: generatePassword(operation, connection.passwordPolicy, 36),
    },
    issueLease(operation, `creds/${name}`, seconds, { longest }),
  );
}

/** The new user's name, by the connection's `username_template`. */
function renderUsername({ token, params, randomness, request }: QueueOperation, template: string): string {
  return render(template === "" ? '{{ printf "%s-%s" .DisplayName (uuid) }}' : template, {
    fields: { DisplayName: token.displayName, RoleName: params.name ?? "" },
    randomness,
    now: request.now,
    isLdif: false,
  });
}

/** A field with a map as a JSON string; throws a 400 for invalid JSON; an empty string is null. */
function parseMap(
  field: string,
  text: string,
  readValue: (value: Readonly<Record<string, unknown>>) => JsonMap | undefined,
): JsonMap | null {
  const parsed = text === "" ? null : parseJson(text);
  if (parsed === null) return null;
  const read = isRecord(parsed) ? mapValues(parsed, readValue) : undefined;
  if (read === undefined) throw invalid(`failed to unmarshal ${field}: ${text}`);
  return read;
}

function permissions(
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
): JsonMap | undefined {
  const read = new Map(names.map((name) => [name, ""]));
  // The decoder matches names case-insensitively, and null leaves a member unchanged.
  for (const [key, permission] of Object.entries(value)) {
    const name = key.toLowerCase();
    if (!read.has(name) || permission === null) continue;
    if (typeof permission !== "string") return undefined;
    read.set(name, permission);
  }
  return Object.fromEntries(read);
}

function mapValues(
  map: Readonly<Record<string, unknown>>,
  readValue: (value: Readonly<Record<string, unknown>>) => JsonMap | undefined,
): JsonMap | undefined {
  const entries = Object.entries(map).map(([key, value]) => {
    // Null is an entry without members.
    const entry = value ?? {};
    return [key, isRecord(entry) ? readValue(entry) : undefined];
  });
  if (entries.some(([, value]) => value === undefined)) return undefined;
  // The check above excludes undefined entries.
  return Object.fromEntries(entries) as JsonMap;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
