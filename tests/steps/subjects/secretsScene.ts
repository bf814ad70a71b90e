import type { Definition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { type Dialect, dialectFor } from "../../dialect";
import { taken } from "../refused";
import { World } from "../world";

const headers = { "x-secrets-token": "root", "content-type": "application/json" };

/** A fresh secrets service, and what must be there before. */
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

/** What a person reads at a console; nothing where nothing is there. */
export async function read(world: World, path: string): Promise<{ [member: string]: Json }> {
  const { json } = await world.send("GET", `/v1/${path}`, undefined, headers);
  // The stub answers an object under `data`.
  return (json as { data?: { [member: string]: Json } }).data ?? {};
}

/** What a person writes. */
export async function write(world: World, path: string, body: Json): Promise<{ [member: string]: Json }> {
  const answer = await world.send("POST", `/v1/${path}`, body, headers);
  taken(answer);
  // The stub answers an object, or nothing.
  return (answer.json ?? {}) as { [member: string]: Json };
}

/** What a person deletes. */
export async function take(world: World, path: string): Promise<void> {
  const answer = await world.send("DELETE", `/v1/${path}`, undefined, headers);
  taken(answer);
}

/** A property's name on this service's wire. */
export function wireOf(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
