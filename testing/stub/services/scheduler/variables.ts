import { invalid, notFound } from "./errors";
import { page } from "./listing";
import type { Variable } from "./objects";
import { type Endpoint, type Operation, type Outcome, readBody, requireAny } from "./operation";
import { anything, map, optional, struct, text } from "./shape/field";
import { keyOf } from "./world";

/** `/v1/vars` and `/v1/var`, from Nomad's API documentation and the source of Nomad 2.0.5. */
export const variableEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/vars", section: "API: variables", handle: listVariables },
  { method: "GET", path: "/var/:path*", section: "API: variables", handle: readVariable },
  ...(["POST", "PUT"] as const).map(
    (method): Endpoint => ({ method, path: "/var/:path*", section: "API: variables", handle: writeVariable }),
  ),
  { method: "DELETE", path: "/var/:path*", section: "API: variables", handle: deleteVariable },
];

const variableShape = struct({
  Namespace: text(),
  Path: text(),
  Items: map(text()),
  // A duration is a string or nanoseconds.
  Lock: optional(struct({ ID: text(), TTL: anything(), LockDelay: anything() })),
});

const NANOSECONDS = 1_000_000;

/** Only a management token sees locks. */
function shown({ Lock, ...variable }: Variable, { caller }: Operation): Variable {
  return { ...variable, ...(Lock !== undefined && caller.isManagement && { Lock }) };
}

function listVariables(operation: Operation): Outcome {
  const { world, request } = operation;
  const prefix = request.query.get("prefix") ?? "";
  const records = [...world.variables.values()]
    .filter(({ Path }) => Path.startsWith(prefix))
    .map((variable) => {
      const { Items: _, ...metadata } = shown(variable, operation);
      return { namespace: variable.Namespace, key: variable.Path, item: metadata };
    });
  // A caller without the capability gets an empty list.
  const listed = records.filter((record) =>
    operation.caller.may("variables:list", record.namespace, world.namespaces),
  );
  const { items, nextToken } = page(operation, listed, undefined);
  return { body: items, nextToken, index: world.indexOf("variables") };
}

function readVariable(operation: Operation): Outcome {
  const { world, namespace } = operation;
  requireAny(operation, ["variables:read"]);
  const found = world.variables.get(keyOf(namespace, pathIn(operation)));
  if (found === undefined) throw notFound("variable not found", world.indexOf("variables"));
  return { body: shown(found, operation), index: found.ModifyIndex };
}

const pathIn = ({ request }: Operation) => request.params.path ?? "";

function writeVariable(operation: Operation): Outcome {
  const { now } = operation;
  const given = readBody(operation, "VariableDecrypted", variableShape);
  const lock = lockOperation(operation);
  const cas = casIn(operation);
  if (lock !== undefined && cas !== undefined) throw invalid("CAS can't be used with lock operations");
  const { Items = {} } = given;
  if (lock === undefined && Object.keys(Items).length === 0)
    throw invalid("variable missing required Items object");
  const Namespace = given.Namespace || operation.namespace;
  const Path = pathIn(operation);
  requireAny(operation, ["variables:write"], Namespace);
  if (lock === undefined && (given.Lock?.TTL || given.Lock?.LockDelay))
    throw refused(refused("variable should not contain lock definition").message);
  checkVariable(Namespace, Path, Items);
  const { world } = operation;
  const key = keyOf(Namespace, Path);
  const before = world.variables.get(key);
  if (cas !== undefined && cas !== (before?.ModifyIndex ?? 0))
    return conflict(operation, before ?? nothingAt(Namespace, Path));
  if (before?.Lock !== undefined && before.Lock.ID !== given.Lock?.ID)
    return conflict(operation, nothingAt(Namespace, Path));
  const index = world.write("variables");
  const acquired = {
    ID: before?.Lock?.ID ?? operation.identifiers.fresh(),
    TTL: asDuration(given.Lock?.TTL),
    LockDelay: asDuration(given.Lock?.LockDelay),
  };
  const Lock = lock === "lock-acquire" ? acquired : lock === "lock-release" ? undefined : before?.Lock;
  const stored: Variable = {
    Namespace,
    Path,
    ...(lock === undefined || Object.keys(Items).length > 0
      ? { Items }
      : before?.Items && { Items: before.Items }),
    ...(Lock !== undefined && { Lock }),
    CreateIndex: before?.CreateIndex ?? index,
    CreateTime: before?.CreateTime ?? now * NANOSECONDS,
    ModifyIndex: index,
    ModifyTime: now * NANOSECONDS,
  };
  world.variables.set(key, stored);
  return { body: stored, index };
}

/** The default of a lock's duration is 15 seconds. */
function asDuration(given: unknown): string {
  return typeof given === "string" && given !== "" ? given : "15s";
}

function lockOperation({ request: { query } }: Operation): "lock-acquire" | "lock-release" | undefined {
  const named = (["lock-acquire", "lock-release"] as const).filter((name) => query.has(name));
  if (named.length > 1) throw invalid("multiple lock operations");
  return named[0];
}

function deleteVariable(operation: Operation): Outcome {
  const { world, namespace } = operation;
  requireAny(operation, ["variables:destroy"]);
  const Path = pathIn(operation);
  const key = keyOf(namespace, Path);
  const before = world.variables.get(key);
  const cas = casIn(operation);
  if (cas !== undefined && cas !== (before?.ModifyIndex ?? 0))
    return conflict(operation, before ?? nothingAt(namespace, Path));
  if (before?.Lock !== undefined) return conflict(operation, nothingAt(namespace, Path));
  world.variables.delete(key);
  const index = world.write("variables");
  return { body: undefined, status: 204, index };
}

/** The response to a failed check: the variable as it is, without its items for a caller that may not read it. */
function conflict(operation: Operation, variable: Variable): Outcome {
  const { caller, world } = operation;
  const { Items, ...metadata } = shown(variable, operation);
  const mayRead = caller.may("variables:read", variable.Namespace, world.namespaces);
  return {
    body: { ...metadata, ...(mayRead && Items !== undefined && { Items }) },
    status: 409,
    index: variable.ModifyIndex,
  };
}

const nothingAt = (Namespace: string, Path: string): Variable => ({
  Namespace,
  Path,
  CreateIndex: 0,
  CreateTime: 0,
  ModifyIndex: 0,
  ModifyTime: 0,
});

function casIn({ request }: Operation): number | undefined {
  const given = request.query.get("cas") ?? "";
  if (given === "") return undefined;
  if (!/^\d+$/.test(given))
    throw invalid(`can not parse cas: strconv.ParseUint: parsing "${given}": invalid syntax`);
  return Number(given);
}

/** Nomad adds this to an error of its RPC layer, once for each layer. */
const refused = (message: string) => invalid(`RPC Error:: 400,${message}`);

const LARGEST = 65_536;

function checkVariable(namespace: string, path: string, items: Readonly<Record<string, string>>): void {
  if (namespace === "*") throw refused('can not target wildcard ("*")namespace');
  const size = Object.entries(items).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (size > LARGEST) throw refused("variables are limited to 64KiB in total size");
  if (!/^[a-zA-Z0-9-_~/]{1,128}$/.test(path)) throw refused(`invalid path ${JSON.stringify(path)}`);
  const [top, second, third, ...deeper] = path.split("/");
  if (top !== "nomad") return;
  if (second === undefined)
    throw refused(
      '"nomad" is a reserved top-level directory path, but you may write variables to "nomad/jobs", "nomad/job-templates", "nomad/sentinel", or below',
    );
  if (second === "jobs" || second === "sentinel") return;
  if (second !== "job-templates")
    throw refused(
      'only paths at "nomad/jobs" or "nomad/job-templates" and below are valid paths under the top-level "nomad" directory',
    );
  if (third === undefined || deeper.length > 0)
    throw refused(
      '"nomad/job-templates" is a reserved directory path, but you may write variables at the level below it, for example, "nomad/job-templates/template-name"',
    );
}
