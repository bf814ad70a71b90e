import type { StubResponse } from "../../../service";
import { absent, invalid } from "../errors";
import { answer, type Endpoint, type EngineOperation, NO_CONTENT } from "../operation";
import type { KvData, KvSecret, KvVersion } from "./records";

type KvOperation = EngineOperation<KvData>;

const LISTED: Endpoint<KvOperation> = { path: "metadata", list };

/** Version 2 of the KV engine. The paths of secrets may contain slashes. */
export const kvEndpoints: readonly Endpoint<KvOperation>[] = [
  {
    path: "data/:path*",
    read,
    write,
    remove: (operation) => change(operation, [secretAt(operation)?.version ?? 0], deletedNow),
    replaces: true,
    parameters: ["data", "options", "version"],
  },
  LISTED,
  { ...LISTED, path: "metadata/:path*", read: readMetadata, write: writeMetadata, remove: removeMetadata },
  { path: "delete/:path*", write: (operation) => change(operation, versionsIn(operation), deletedNow) },
  {
    path: "undelete/:path*",
    write: (operation) =>
      change(operation, versionsIn(operation), (version) => ({
        ...version,
        deletedAt: undefined,
        isDeleted: false,
      })),
  },
  {
    path: "destroy/:path*",
    write: (operation) =>
      change(operation, versionsIn(operation), (version) => ({ ...version, isDestroyed: true })),
  },
];

const pathOf = ({ params }: KvOperation) => params.path ?? "";
const secretAt = (operation: KvOperation) => operation.data.secrets.get(pathOf(operation));
const allVersions = ({ version, latest, versions }: KvSecret): Readonly<Record<number, KvVersion>> =>
  latest === undefined ? versions : { ...versions, [version]: latest };

/** A 404 with the metadata of the version if that is deleted or destroyed. */
function read(operation: KvOperation): StubResponse {
  const { now, query } = operation.request;
  const secret = secretAt(operation);
  const number = Number(query.get("version") ?? 0) || (secret?.version ?? 0);
  const version = secret && allVersions(secret)[number];
  if (secret === undefined || version === undefined) throw absent();
  const isGone = isDeleted(version, now) || version.isDestroyed;
  const metadata = versionMetadata(secret, number, version);
  return {
    ...answer(operation, { data: isGone ? null : version.data, metadata }),
    status: isGone ? 404 : 200,
  };
}

const isDeleted = ({ deletedAt, isDeleted: wasDeleted = false }: KvVersion, now: number) =>
  wasDeleted || (deletedAt !== undefined && deletedAt <= now);
const time = (at: number | undefined) => (at === undefined ? "" : new Date(at).toISOString());

function versionMetadata(
  { customMetadata }: KvSecret,
  number: number,
  { createdAt, deletedAt, isDestroyed }: KvVersion,
): object {
  return {
    created_time: time(createdAt),
    custom_metadata: customMetadata,
    deletion_time: time(deletedAt),
    destroyed: isDestroyed,
    version: number,
  };
}

const NEW_SECRET: Omit<KvSecret, "createdAt" | "updatedAt"> = {
  version: 0,
  versions: {},
  maxVersions: 0,
  casRequired: false,
  customMetadata: null,
};

/** The number of versions that an engine stores by default. */
const DEFAULT_VERSIONS = 10;

/** Adds a version if `cas`, where given, is the number of the current one: 0 if there is none. */
function write(operation: KvOperation): StubResponse {
  const { fields, request, data } = operation;
  const content = fields.record("data")?.all();
  if (content === undefined) throw invalid("no data provided");
  const { now } = request;
  const secret = secretAt(operation) ?? { ...NEW_SECRET, createdAt: now, updatedAt: now };
  const cas = fields.record("options")?.integer("cas");
  if (cas === undefined && secret.casRequired)
    throw invalid("check-and-set parameter required for this call");
  if (cas !== undefined && cas !== secret.version)
    throw invalid("check-and-set parameter did not match the current version");
  const version = secret.version + 1;
  const latest: KvVersion = { data: content, createdAt: now, isDestroyed: false };
  const oldest = version - (secret.maxVersions || DEFAULT_VERSIONS) + 1;
  const older = Object.entries(allVersions(secret)).filter(([number]) => Number(number) >= oldest);
  const written = { ...secret, version, latest, versions: Object.fromEntries(older), updatedAt: now };
  data.secrets.set(pathOf(operation), written);
  return answer(operation, versionMetadata(written, version, latest));
}

function versionsIn({ fields }: KvOperation): readonly number[] {
  const versions = fields.raw("versions");
  if (!Array.isArray(versions) || versions.length === 0) throw invalid("No version number provided");
  return versions.map(Number);
}

function deletedNow(version: KvVersion, now: number): KvVersion {
  return isDeleted(version, now) ? version : { ...version, deletedAt: now, isDeleted: true };
}

/** Changes the metadata of versions. Absent and destroyed versions stay as they are. */
function change(
  operation: KvOperation,
  numbers: readonly number[],
  changed: (version: KvVersion, now: number) => KvVersion,
): StubResponse {
  const secret = secretAt(operation);
  if (secret === undefined) return NO_CONTENT;
  const versions: Record<number, KvVersion> = { ...allVersions(secret) };
  for (const number of numbers) {
    const version = versions[number];
    if (version !== undefined && !version.isDestroyed)
      versions[number] = changed(version, operation.request.now);
  }
  const { [secret.version]: latest, ...older } = versions;
  operation.data.secrets.set(pathOf(operation), { ...secret, ...(latest && { latest }), versions: older });
  return NO_CONTENT;
}

/** The names below a path; those of folders end with a slash. */
function list(operation: KvOperation): StubResponse {
  const folder = pathOf(operation) === "" ? "" : `${pathOf(operation)}/`;
  const names = [...operation.data.secrets.keys()]
    .filter((path) => path.startsWith(folder))
    .map((path) => /^[^/]*\/?/.exec(path.slice(folder.length))?.[0] ?? "");
  if (names.length === 0) throw absent();
  return answer(operation, { keys: [...new Set(names)].sort() });
}

function readMetadata(operation: KvOperation): StubResponse {
  const secret = secretAt(operation);
  if (secret === undefined) throw absent();
  return answer(operation, {
    cas_required: secret.casRequired,
    created_time: time(secret.createdAt),
    current_metadata_version: 0,
    current_version: secret.version,
    custom_metadata: secret.customMetadata,
    delete_version_after: "0s",
    max_versions: secret.maxVersions,
    metadata_cas_required: false,
    oldest_version: Math.min(...Object.keys(allVersions(secret)).map(Number), secret.version),
    updated_time: time(secret.updatedAt),
    versions: Object.fromEntries(
      Object.entries(allVersions(secret)).map(([number, { createdAt, deletedAt, isDestroyed }]) => [
        number,
        { created_time: time(createdAt), deletion_time: time(deletedAt), destroyed: isDestroyed },
      ]),
    ),
  });
}

function writeMetadata(operation: KvOperation): StubResponse {
  const { fields, request, data } = operation;
  const { now } = request;
  const before = secretAt(operation) ?? { ...NEW_SECRET, createdAt: now, updatedAt: now };
  const custom = fields.record("custom_metadata")?.all();
  data.secrets.set(pathOf(operation), {
    ...before,
    updatedAt: now,
    maxVersions: fields.integer("max_versions") ?? before.maxVersions,
    casRequired: fields.boolean("cas_required") ?? before.casRequired,
    customMetadata:
      custom === undefined
        ? before.customMetadata
        : Object.fromEntries(Object.entries(custom).map(([key, value]) => [key, String(value)])),
  });
  return NO_CONTENT;
}

/** Deletes the secret with all of its versions. */
function removeMetadata(operation: KvOperation): StubResponse {
  operation.data.secrets.delete(pathOf(operation));
  return NO_CONTENT;
}
