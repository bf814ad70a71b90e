import type { StubResponse } from "../../service";
import { seconds } from "./durations";
import { absent, invalid } from "./errors";
import type { Fields } from "./fields";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "./operation";
import type { EngineType } from "./settings";
import { type MountEntry, type MountPlace, type Namespace, newMount } from "./world";

/** `/sys/mounts`, `/sys/auth` and `/sys/remount`. A mount's path may contain slashes. */
export const mountEndpoints: readonly Endpoint[] = [
  ...endpointsOf("mounts"),
  // The server requires sudo for every path below this one, and not for the list.
  ...endpointsOf("auth").map((endpoint) =>
    endpoint.path === "sys/auth" ? endpoint : { ...endpoint, isPrivileged: true },
  ),
  { path: "sys/remount", write: remount, isPrivileged: true },
  { path: "sys/remount/status/:id", read: readMove },
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
function rows(namespace: Namespace, table: Table): ReadonlyMap<string, MountEntry> {
  if (table === "auth") return namespace.authMethods;
  return new Map([...namespace.mounts].map(([path, { entry }]) => [path, entry]));
}

/** The mounts that every namespace has. No request changes or removes them. */
const BUILT_IN: Readonly<Record<Table, readonly string[]>> = {
  mounts: ["sys", "cubbyhole", "identity"],
  auth: ["token"],
};
const isBuiltIn = (table: Table, path: string) =>
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
    throw invalid(
      `No ${table === "auth" ? "auth" : "secret"} engine${table === "auth" ? "" : " mount"} at ${path}/`,
    );
  return withMembers(answer(operation, shown(entry, table)));
}

/** The response to some requests of the system backend: it also has the members of `data` next to `data`. */
function withMembers(response: StubResponse): StubResponse {
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

const LISTS = [
  "audit_non_hmac_request_keys",
  "audit_non_hmac_response_keys",
  "passthrough_request_headers",
  "allowed_response_headers",
] as const;

const NEW_ENTRY: Omit<MountEntry, "type" | "accessor" | "uuid"> = {
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
  const config = fields.record("config");
  const ttls = config && [
    ttl(config, "default_lease_ttl", "default TTL"),
    ttl(config, "max_lease_ttl", "max TTL"),
  ];
  const [usual = 0, longest = 0] = ttls ?? [];
  if (longest > 0 && usual > longest)
    throw invalid("given default lease TTL greater than given max lease TTL");
  const taken = [...rows(namespace, table).keys()].find((own) => overlap(own, path));
  if (taken !== undefined) throw invalid(`path is already in use at ${taken}/`);
  const engine = Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined;
  if (engine === undefined && !KNOWN_TYPES[table].includes(name))
    throw invalid(`plugin not found in the catalog: ${name}`);
  const options = Object.fromEntries(
    Object.entries(fields.record("options")?.all() ?? {}).map(([key, value]) => [key, String(value)]),
  );
  const entry: MountEntry = {
    ...NEW_ENTRY,
    type: name,
    accessor: `${table === "auth" ? "auth_" : ""}${name}_${randomness.text(8, HEX)}`,
    uuid: randomness.uuid(),
    description: fields.string("description") ?? "",
    local: fields.boolean("local") ?? false,
    sealWrap: fields.boolean("seal_wrap") ?? false,
    options,
    config: { ...(config && settings(config)), default_lease_ttl: usual, max_lease_ttl: longest },
  };
  if (table === "auth") namespace.authMethods.set(path, entry);
  else namespace.mounts.set(path, newMount(engine ?? "other", entry));
  return NO_CONTENT;
}

const HEX = "0123456789abcdef";

/** True if one path is the other, or below it. */
const overlap = (left: string, right: string) =>
  `${left}/`.startsWith(`${right}/`) || `${right}/`.startsWith(`${left}/`);

function ttl(config: Fields, name: string, called: string): number {
  const raw = config.raw(name);
  if (raw === undefined || raw === "" || raw === "system") return 0;
  const read = seconds(raw);
  if (read === undefined)
    throw invalid(`unable to parse ${called} of ${raw}: time: invalid duration "${raw}"`);
  return read;
}

/** The settings in a `config` or a tune, without the TTLs. */
function settings(fields: Fields): Record<string, unknown> {
  const visibility = fields.string("listing_visibility");
  if (visibility !== undefined && !["", "unauth", "hidden"].includes(visibility))
    throw invalid(`invalid listing_visibility ${visibility}`);
  const tokenType = fields.string("token_type");
  if (tokenType !== undefined && !TOKEN_TYPES.includes(tokenType))
    throw invalid("invalid value for 'token_type'");
  const lists = LISTS.flatMap((name) => (fields.has(name) ? [[name, fields.list(name)]] : []));
  return {
    ...Object.fromEntries(lists),
    ...(visibility !== undefined && { listing_visibility: visibility }),
    ...(tokenType !== undefined && tokenType !== "" && { token_type: tokenType }),
  };
}

const TOKEN_TYPES = ["", "default-service", "default-batch", "service", "batch"];

/** Changes the settings that a request contains, and no others. An option is never removed. */
function tune(operation: Operation, table: Table): StubResponse {
  const { fields, namespace } = operation;
  const path = tunedPath(operation) ?? "";
  const entry = rows(namespace, table).get(path);
  if (entry === undefined)
    throw invalid(`tune of path "${table === "auth" ? "auth/" : ""}${path}/" failed: no mount entry found`);
  const usual = tunedTtl(fields, entry, "default_lease_ttl");
  const longest = tunedTtl(fields, entry, "max_lease_ttl");
  if (longest > 0 && usual > longest)
    throw invalid(
      `backend max lease TTL of ${longest} would be less than backend default lease TTL of ${usual}`,
    );
  const options = fields.record("options")?.all() ?? {};
  const before = Number(entry.options.version ?? 0);
  const after = Number(options.version ?? before);
  if (after < before) throw invalid(`cannot downgrade mount from version ${before}`);
  put(namespace, table, path, {
    ...entry,
    description: fields.string("description") ?? entry.description,
    options: {
      ...entry.options,
      ...Object.fromEntries(Object.entries(options).map(([key, value]) => [key, String(value)])),
    },
    config: { ...entry.config, ...settings(fields), default_lease_ttl: usual, max_lease_ttl: longest },
  });
  if (after === before) return NO_CONTENT;
  return answer(operation, null, undefined, [
    `Upgrading mount from version ${before} to version ${after}. This mount will be unavailable for a brief period and will resume service shortly.`,
  ]);
}

function tunedTtl(fields: Fields, { config }: MountEntry, name: string): number {
  const raw = fields.raw(name);
  if (raw === undefined || raw === "") return Number(config[name] ?? 0);
  if (raw === "system") return 0;
  const read = seconds(raw);
  if (read === undefined) throw invalid(`time: invalid duration "${raw}"`);
  return read;
}

function put(namespace: Namespace, table: Table, path: string, entry: MountEntry): void {
  const mount = namespace.mounts.get(path);
  if (table === "auth") namespace.authMethods.set(path, entry);
  else if (mount !== undefined) namespace.mounts.set(path, { ...mount, entry });
}

/** Disabling an absent mount succeeds. */
function disable(operation: Operation, table: Table): StubResponse {
  const { namespace, world } = operation;
  const path = pathOf(operation);
  if (isBuiltIn(table, path))
    throw invalid(
      table === "auth" ? "token credential backend cannot be disabled" : `cannot unmount "${path}/"`,
    );
  if (table === "auth") namespace.authMethods.delete(path);
  else if (namespace.mounts.delete(path)) endLeases(world.leases, path);
  return NO_CONTENT;
}

function endLeases(leases: Map<string, unknown>, path: string): void {
  for (const id of leases.keys()) if (id.startsWith(`${path}/`)) leases.delete(id);
}

/** Moves a mount. The server answers at once and moves it in the background, for as long as `remountMs`. */
function remount(operation: Operation): StubResponse {
  const { fields, namespace, randomness, request, switches, world } = operation;
  const from = placeOf(fields.string("from") ?? "");
  const to = placeOf(fields.string("to") ?? "");
  if (isBuiltIn(from.table, from.path)) throw invalid(`cannot remount "${from.full}/"`);
  if (from.table !== to.table || isBuiltIn(to.table, to.path))
    throw invalid(`cannot remount to destination ${to.full}/`);
  if (!rows(namespace, from.table).has(from.path)) throw invalid(`no matching mount at "${from.full}/"`);
  if ([...rows(namespace, to.table).keys()].some((own) => overlap(own, to.path)))
    throw invalid(`path already in use at "${to.full}/"`);
  const id = randomness.uuid();
  const move = { namespace: namespace.path, from, to, endsAt: request.now + switches.remountMs };
  world.moves.set(id, move);
  endMoves(operation);
  return withMembers(
    answer(operation, { migration_id: id }, undefined, [
      "Mount move has been queued. Progress will be reported in OpenBao's server log, tagged with the returned migration_id",
    ]),
  );
}

function placeOf(text: string): MountPlace {
  const full = text.replace(/^\/|\/$/g, "");
  return full.startsWith("auth/")
    ? { table: "auth", path: full.slice("auth/".length), full }
    : { table: "mounts", path: full, full };
}

/** Ends the moves whose time has come: the mount is at its new path, and the leases below the old one are revoked. */
export function endMoves({ request, world }: Pick<Operation, "request" | "world">): void {
  for (const { namespace: path, from, to, endsAt } of world.moves.values()) {
    const namespace = world.namespaces.get(path);
    if (namespace === undefined || request.now < endsAt) continue;
    const table: Map<string, unknown> = from.table === "auth" ? namespace.authMethods : namespace.mounts;
    const moved = table.get(from.path);
    if (moved === undefined) continue;
    table.delete(from.path);
    table.set(to.path, moved);
    endLeases(world.leases, from.full);
  }
}

function readMove(operation: Operation): StubResponse {
  const { params, request, world } = operation;
  const move = world.moves.get(params.id ?? "");
  if (move === undefined) throw absent();
  return answer(operation, {
    migration_id: params.id,
    migration_info: {
      source_mount: `${move.from.full}/`,
      target_mount: `${move.to.full}/`,
      status: request.now < move.endsAt ? "in-progress" : "success",
    },
  });
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
  return { ...NEW_ENTRY, type: name, accessor: `${name}_${id}_${path.replaceAll("/", "_")}`, uuid: "" };
}
