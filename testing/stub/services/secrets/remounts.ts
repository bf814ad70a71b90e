import type { StubResponse } from "../../service";
import { moveAuthData } from "./auth/records";
import { absent, invalid } from "./errors";
import { endLeases, isBuiltIn, overlap, rows, withMembers } from "./mounts";
import { answer, type Endpoint, type Operation } from "./operation";
import type { MountPlace } from "./world";

/** `/sys/remount`. */
export const remountEndpoints: readonly Endpoint[] = [
  { path: "sys/remount", write: remount, isPrivileged: true },
  { path: "sys/remount/status/:id", read: readMove },
];

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
  const move = {
    namespace: namespace.path,
    from,
    to,
    endsAt: request.now + switches.remountMs,
    hasEnded: false,
  };
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
  for (const [id, move] of world.moves) {
    const { from, to } = move;
    const namespace = world.namespaces.get(move.namespace);
    if (namespace === undefined || move.hasEnded || request.now < move.endsAt) continue;
    world.moves.set(id, { ...move, hasEnded: true });
    const table: Map<string, unknown> = from.table === "auth" ? namespace.authMethods : namespace.mounts;
    const moved = table.get(from.path);
    if (moved === undefined) continue;
    table.delete(from.path);
    table.set(to.path, moved);
    if (from.table === "auth") moveAuthData(namespace.authData, from.path, to.path);
    endLeases(world.leases, from.full);
  }
}

function readMove(operation: Operation): StubResponse {
  const { params, world } = operation;
  const move = world.moves.get(params.id ?? "");
  if (move === undefined) throw absent();
  return answer(operation, {
    migration_id: params.id,
    migration_info: {
      source_mount: `${move.from.full}/`,
      target_mount: `${move.to.full}/`,
      status: move.hasEnded ? "success" : "in-progress",
    },
  });
}
