import type { Definition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { type Dialect, dialectFor } from "../../dialect";
import { expectAccepted } from "../rejectedRequest";
import { World } from "../world";

const headers = { "x-secrets-token": "root", "content-type": "application/json" };

/** A new Vault mock server, with prerequisites. */
export async function secretsWorld(
  definition: Pick<Definition, "service" | "token">,
  before: Readonly<Record<string, Json>> = {},
  dialect: Dialect = dialectFor(definition.token),
): Promise<World> {
  const stub = new SecretsService({ seed: { tokens: { root: {} } }, switches: { dialect } });
  const world = new World(stub, definition, { token: "root" });
  for (const [path, body] of Object.entries(before)) await write(world, path, body);
  return world;
}

/** Reads a path as another user; an empty object if it does not exist. */
export async function read(world: World, path: string): Promise<{ [member: string]: Json }> {
  const { json } = await world.send("GET", `/v1/${path}`, undefined, headers);
  // The stub answers an object under `data`.
  return (json as { data?: { [member: string]: Json } }).data ?? {};
}

/** Writes to a path as another user. */
export async function write(world: World, path: string, body: Json): Promise<{ [member: string]: Json }> {
  const answer = await world.send("POST", `/v1/${path}`, body, headers);
  expectAccepted(answer);
  // The stub answers an object, or nothing.
  return (answer.json ?? {}) as { [member: string]: Json };
}

/** Deletes a path as another user. */
export async function take(world: World, path: string): Promise<void> {
  const answer = await world.send("DELETE", `/v1/${path}`, undefined, headers);
  expectAccepted(answer);
}

/** The name of a property in requests to this service. */
export function wireOf(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
