import fc from "fast-check";
import type { Json } from "../../../provider/core/value/json";
import namespace from "../../../provider/services/secrets/namespace";
import type { Subject } from "../subject";
import { defined, maybe } from "./arbitraries";
import { read, secretsWorld, take, wireOf, write } from "./secretsScene";

const PATH = "sys/namespaces/divisions";

/** The namespace `divisions`. */
export const secretsNamespaceSubject: Subject = {
  definition: namespace,
  world: () => secretsWorld(namespace),
  programs: fc
    .record({
      name: fc.constant("divisions"),
      customMetadata: maybe(fc.constantFrom<Json>({ owner: "web" }, { owner: "web", tier: "gold" }, {})),
    })
    .map(defined),
  edits: fc.record({
    property: fc.constant("customMetadata"),
    value: fc.constantFrom<Json>({ owner: "theirs" }, { owner: "theirs", tier: "gold" }),
  }),
  // A write replaces the metadata.
  edit: async (world, _resource, { property, value }) => {
    await write(world, PATH, { [wireOf(property)]: value });
  },
  takeAway: async (world) => {
    await take(world, PATH);
    // The server deletes the contents first.
    while ((await read(world, PATH)).id !== undefined);
  },
  createTakes: () => ["GET", "POST", "GET"],
};
