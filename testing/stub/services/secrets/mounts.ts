import type { StubResponse } from "../../service";
import { moveAuthData } from "./auth/records";
import { invalid } from "./errors";
import { Fields } from "./fields";
import { LISTS, options, settings, ttl } from "./mount-settings";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "./operation";
import type { EngineType } from "./settings";
import { type Mount, type MountEntry, type MountPlace, type Namespace, newMount } from "./world";

/** `/sys/mounts` and `/sys/auth`. A mount's path may contain slashes. */
export const mountEndpoints: readonly Endpoint[] = [
  ...endpointsOf("mounts"),
  // The server requires sudo for every path below this one, and not for the list.
  ...endpointsOf("auth").map((endpoint) =>
    endpoint.path === "sys/auth" ? endpoint : { ...endpoint, isPrivileged: true },
  ),
];

type Table = MountPlace["table"];

function endpointsOf(table: Table): readonly Endpoint[] {
  return [
    { path: `sys/${table}`, read: (operation) => list(operation, table) },
    {
      path: `sys/${table}/:mount*`,
      read: (operation) => read(operation, table),
      write: (operation) =>
        tunedPath(operation) === undefined ? enable(operation, table) : tune(operation, table),
      remove: (operation) => disable(operation, table),
    },
  ];
}

/** The rows of a table by path. */
export function rows(namespace: Namespace, table: Table): ReadonlyMap<string, MountEntry> {
  if (table === "auth") return namespace.authMethods;
  return new Map([...namespace.mounts].map(([path, { entry }]) => [path, entry]));
}

/** The mounts that every namespace has. No request changes or removes them. */
const BUILT_IN: Readonly<Record<Table, readonly string[]>> = {
  mounts: ["sys", "cubbyhole", "identity"],
  auth: ["token"],
};
export const isBuiltIn = (table: Table, path: string) =>
  BUILT_IN[table].some((own) => path === own || path.startsWith(`${own}/`));

function list(operation: Operation, table: Table): StubResponse {
  const { namespace } = operation;
  const builtIn = BUILT_IN[table].map((path) => [path, builtInEntry(namespace, path)] as const);
  return withMembers(
    answer(
      operation,
      Object.fromEntries(
        [...builtIn, ...rows(namespace, table)].map(([path, entry]) => [`${path}/`, shown(entry, table)]),
      ),
    ),
  );
}

function builtInEntry({ id }: Namespace, path: string): MountEntry {
  return { ...NEW_ENTRY, type: path === "sys" ? "system" : path, accessor: `${path}_${id}`, uuid: "" };
}

function read(operation: Operation, table: Table): StubResponse {
  const path = pathOf(operation);
  const entry = rows(operation.namespace, table).get(path);
  if (entry === undefined)
    throw invalid(`${table === "auth" ? "No auth engine" : "No secret engine mount"} at ${path}/`);
  return withMembers(answer(operation, shown(entry, table)));
}

/** The response to some requests of the system backend: it also has the members of `data` next to `data`. */
export function withMembers(response: StubResponse): StubResponse {
  const body = Object(response.body);
  return { ...response, body: { ...body.data, ...body } };
}

/** A row as the server returns it. It leaves out the settings that are empty. */
function shown(entry: MountEntry, table: Table): object {
  const { config } = entry;
  return {
    accessor: entry.accessor,
    config: {
      default_lease_ttl: config.default_lease_ttl ?? 0,
      force_no_cache: false,
      max_lease_ttl: config.max_lease_ttl ?? 0,
      ...(table === "auth" && { token_type: config.token_type ?? "default-service" }),
      ...Object.fromEntries(
        ["listing_visibility", ...LISTS].flatMap((name) =>
          isGiven(config[name]) ? [[name, config[name]]] : [],
        ),
      ),
    },
    deprecation_status: "supported",
    description: entry.description,
    external_entropy_access: false,
    local: entry.local,
    options: entry.options,
    plugin_version: "",
    running_plugin_version: "v2.0.0+builtin.bao",
    running_sha256: "",
    seal_wrap: entry.sealWrap,
    type: entry.type,
    uuid: entry.uuid,
  };
}

const isGiven = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== "";

/** The settings of a mount without any. */
export const NEW_ENTRY: Omit<MountEntry, "type" | "accessor" | "uuid"> = {
  description: "",
  local: false,
  sealWrap: false,
  options: {},
  config: {},
};

function enable(operation: Operation, table: Table): StubResponse {
  const { fields, namespace, randomness } = operation;
  const path = pathOf(operation);
  if (isBuiltIn(table, path) || (table === "mounts" && path.split("/")[0] === "auth"))
    throw invalid(`cannot mount "${path}/"`);
  const name = fields.string("type") ?? "";
  if (name === "") throw invalid("backend type must be specified as a string");
  if (table === "mounts" && !/^kv(-v[12])?$/.test(name) && isGiven(options(fields).version))
    throw invalid(`secrets engine ${JSON.stringify(name)} does not allow setting a version`);
  const config = fields.record("config") ?? new Fields({});
  const usual = ttl(config, "default_lease_ttl", 0, (raw) => `unable to parse default TTL of ${raw}: `);
  const longest = ttl(config, "max_lease_ttl", 0, (raw) => `unable to parse max TTL of ${raw}: `);
  if (longest > 0 && usual > longest)
    throw invalid("given default lease TTL greater than given max lease TTL");
  const taken = [...rows(namespace, table).keys()].find((own) => overlap(own, path));
  if (taken !== undefined) throw invalid(`path is already in use at ${taken}/`);
  const engine = engineOf(name, options(fields));
  if (engine === undefined && !KNOWN_TYPES[table].includes(name))
    throw invalid(`plugin not found in the catalog: ${name}`);
  const entry: MountEntry = {
    ...NEW_ENTRY,
    type: name,
    accessor: `${table === "auth" ? "auth_" : ""}${name}_${randomness.text(8, HEX)}`,
    uuid: randomness.uuid(),
    description: fields.string("description") ?? "",
    local: fields.boolean("local") ?? false,
    sealWrap: fields.boolean("seal_wrap") ?? false,
    options: options(fields),
    config: { ...settings(config), default_lease_ttl: usual, max_lease_ttl: longest },
  };
  if (table === "auth") namespace.authMethods.set(path, entry);
  else namespace.mounts.set(path, newMount(engine ?? "other", entry));
  return NO_CONTENT;
}

const HEX = "0123456789abcdef";

/** True if one path is the other, or below it. */
export const overlap = (left: string, right: string) =>
  `${left}/`.startsWith(`${right}/`) || `${right}/`.startsWith(`${left}/`);

/** Changes the settings that a request contains, and no others. An option is never removed. */
function tune(operation: Operation, table: Table): StubResponse {
  const { fields, namespace } = operation;
  const path = tunedPath(operation) ?? "";
  const entry = rows(namespace, table).get(path);
  if (entry === undefined)
    throw invalid(`tune of path "${table === "auth" ? "auth/" : ""}${path}/" failed: no mount entry found`);
  if (table === "mounts" && fields.has("token_type"))
    throw invalid("'token_type' can only be modified on auth mounts");
  const usual = ttl(fields, "default_lease_ttl", Number(entry.config.default_lease_ttl ?? 0));
  const longest = ttl(fields, "max_lease_ttl", Number(entry.config.max_lease_ttl ?? 0));
  if (longest > 0 && usual > longest)
    throw invalid(
      `backend max lease TTL of ${longest} would be less than backend default lease TTL of ${usual}`,
    );
  const changed = options(fields);
  const before = Number(entry.options.version ?? 0);
  const after = Number(changed.version ?? before);
  if (after < before) throw invalid(`cannot downgrade mount from version ${before}`);
  put(namespace, table, path, {
    ...entry,
    description: fields.string("description") ?? entry.description,
    options: { ...entry.options, ...changed },
    config: { ...entry.config, ...settings(fields), default_lease_ttl: usual, max_lease_ttl: longest },
  });
  if (after === before) return NO_CONTENT;
  return answer(operation, null, undefined, [
    `Upgrading mount from version ${before} to version ${after}. This mount will be unavailable for a brief period and will resume service shortly.`,
  ]);
}

function put(namespace: Namespace, table: Table, path: string, entry: MountEntry): void {
  const mount = namespace.mounts.get(path);
  if (table === "auth") namespace.authMethods.set(path, entry);
  else if (mount !== undefined) namespace.mounts.set(path, upgraded({ ...mount, entry }));
}

/** A KV engine that became one of version 2. */
function upgraded(mount: Mount): Mount {
  const isUpgraded = mount.type === "other" && engineOf(mount.entry.type, mount.entry.options) === "kv";
  return isUpgraded ? newMount("kv", mount.entry) : mount;
}

/** The engine of a type and its options; undefined if the stub does not have it, as for version 1 of the KV engine. */
function engineOf(name: string, { version }: Readonly<Record<string, string>>): EngineType | undefined {
  if (name === "kv") return version === "2" ? "kv" : undefined;
  return Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined;
}

/** Disabling an absent mount succeeds. */
function disable(operation: Operation, table: Table): StubResponse {
  const { namespace, world } = operation;
  const path = pathOf(operation);
  if (isBuiltIn(table, path))
    throw invalid(
      table === "auth" ? "token credential backend cannot be disabled" : `cannot unmount "${path}/"`,
    );
  if (table === "auth") {
    namespace.authMethods.delete(path);
    moveAuthData(namespace.authData, path);
  } else if (namespace.mounts.delete(path)) endLeases(world.leases, path);
  return NO_CONTENT;
}

export function endLeases(leases: Map<string, unknown>, path: string): void {
  for (const id of leases.keys()) if (id.startsWith(`${path}/`)) leases.delete(id);
}

const pathOf = ({ params }: Operation) => params.mount ?? "";

/** The path of a mount in a request to its `tune` endpoint. */
function tunedPath(operation: Operation): string | undefined {
  return /^(.+)\/tune$/.exec(pathOf(operation))?.[1];
}

/** The types of engines that the stub has, and those that it only mounts. */
const ENGINES: Readonly<Record<string, EngineType>> = { rabbitmq: "queue", aws: "cloud", ldap: "directory" };
const KNOWN_TYPES: Readonly<Record<Table, readonly string[]>> = {
  mounts: ["kv", "pki", "transit", "database", "ssh", "totp", "kubernetes"],
  auth: ["userpass", "approle", "ldap", "jwt", "oidc", "cert", "kubernetes", "radius"],
};

/** The entry of an engine that exists from the start. */
export function seededEntry(type: EngineType, path: string, { id }: Pick<Namespace, "id">): MountEntry {
  const name = Object.keys(ENGINES).find((key) => ENGINES[key] === type) ?? type;
  const accessor = `${name}_${id}_${path.replaceAll("/", "_")}`;
  const options = type === "kv" ? { options: { version: "2" } } : {};
  return { ...NEW_ENTRY, type: name, accessor, uuid: "", ...options };
}
