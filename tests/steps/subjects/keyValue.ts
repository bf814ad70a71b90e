import fc from "fast-check";
import type { Json } from "../../../provider/core/value/json";
import kvSecret from "../../../provider/services/secrets/kvSecret";
import type { Subject } from "../subject";
import { secretsWorld, take, write } from "./secretsScene";

const value = fc.constantFrom<Json>(
  "hush",
  "",
  0,
  8080,
  false,
  true,
  ["a", "b"],
  [],
  {},
  { user: "svc-app" },
);

/** The secret `app` of the KV engine `kv`. */
export const kvSecretSubject: Subject = {
  definition: kvSecret,
  world: () => secretsWorld(kvSecret),
  programs: fc.record({
    mount: fc.constant("kv"),
    path: fc.constant("app"),
    data: fc.dictionary(fc.constantFrom("password", "port", "maxTtl"), value, { maxKeys: 3 }),
  }),
  edits: fc.record({
    property: fc.constant("data"),
    value: fc.constantFrom<Json>(
      { password: "theirs" },
      { password: "hush", port: 8080 },
      { password: "hush", theirs: { user: "svc-app" } },
      {},
    ),
  }),
  async edit(world, _resource, { property, value: data }) {
    await write(world, "kv/data/app", { [property]: data });
  },
  takeAway: (world) => take(world, "kv/data/app"),
  createTakes: () => ["GET", "POST", "GET"],
};
