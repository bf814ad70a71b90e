import fc from "fast-check";
import type { Json } from "../../../provider/core/value/json";
import configEntry from "../../../provider/services/mesh/configEntry";
import { MeshService } from "../../../testing/stub/services/mesh/service";
import { switchesFor } from "../../dialect";
import { expectAccepted } from "../rejectedRequest";
import type { Edit, Subject } from "../subject";
import { World } from "../world";
import { defined, maybe } from "./arbitraries";

const headers = { "x-mesh-token": "manager", "content-type": "application/json" };
const SEED = { tokens: { manager: { management: true } } };
const PATH = "/v1/config/service-defaults/web";

type Members = { [member: string]: Json };

const spec = fc
  .record({
    Protocol: maybe(fc.constantFrom("http", "tcp", "grpc")),
    MaxInboundConnections: maybe(fc.integer({ min: 1, max: 100 })),
    ExternalSNI: maybe(fc.constantFrom("web.example.com", "")),
    Meta: maybe(fc.dictionary(fc.constantFrom("team", "a.b", "constructor"), fc.constantFrom("x", "y"))),
    UpstreamConfig: maybe(
      fc.record({ Defaults: fc.record({ ConnectTimeoutMs: fc.constantFrom(1000, 5000) }) }),
    ),
  })
  .map(defined);

/** The `service-defaults` entry `web`. */
export const configEntrySubject: Subject = {
  definition: configEntry,
  world: async () =>
    new World(
      new MeshService({ seed: SEED, switches: { edition: "enterprise", ...switchesFor(configEntry) } }),
      configEntry,
      {
        token: "manager",
      },
    ),
  programs: fc.record({
    kind: fc.constant("service-defaults"),
    name: fc.constant("web"),
    spec: fc.oneof(
      spec,
      spec.map((value) => JSON.stringify(value, null, 2)),
    ),
  }),
  edits: fc.oneof<fc.Arbitrary<Edit>[]>(
    fc.record({
      property: fc.constant("spec"),
      value: fc.record({ Protocol: fc.constantFrom("http", "http2") }),
    }),
    fc.record({
      property: fc.constant("spec"),
      value: fc.record({ MaxInboundConnections: fc.integer({ min: 1, max: 100 }) }),
    }),
    fc.record({ property: fc.constant("spec"), value: fc.record({ Meta: fc.constant({ touched: "yes" }) }) }),
  ),
  async edit(world, _resource, { value }) {
    const found = await world.send("GET", PATH, undefined, headers);
    expectAccepted(found);
    const { json } = found;
    // The stub answers an entry, and an edit is members of one.
    const { CreateIndex: _, ModifyIndex: __, Hash: ___, ...own } = json as Members;
    const answer = await world.send("PUT", "/v1/config", { ...own, ...(value as Members) }, headers);
    expectAccepted(answer);
  },
  async takeAway(world) {
    const answer = await world.send("DELETE", PATH, undefined, headers);
    expectAccepted(answer);
  },
  createTakes: () => ["GET", "PUT", "GET"],
};
