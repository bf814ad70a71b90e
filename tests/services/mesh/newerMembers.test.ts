import type { Definition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import apiGateway from "../../../provider/services/mesh/kinds/apiGateway";
import httpRoute from "../../../provider/services/mesh/kinds/httpRoute";
import serviceDefaults from "../../../provider/services/mesh/kinds/serviceDefaults";
import tcpRoute from "../../../provider/services/mesh/kinds/tcpRoute";
import { Resource } from "../../steps/resource";
import { meshWorld, read } from "../../steps/subjects/meshScene";
import { changedPaths, expectNoChanges } from "../expectations";

const listeners = [{ name: "web", port: 80, protocol: "http" }];
const parents = [{ name: "front" }];
const breaker = { interval: "90s", consecutive5xx: 3, consecutiveGatewayFailure: 2 };
const tls = { sds: { clusterName: "sds", certResource: "web" } };

/** An entry on a server of this release. */
async function onRelease(definition: Definition, release: "1.22" | "later") {
  const world = await meshWorld(definition, { release });
  return { world, entry: new Resource(world, definition) };
}

describe("members of entries that Consul 1.22 does not have", () => {
  test.each<[string, Definition, { name: string; spec: Json }, string]>([
    [
      "the TLS defaults of an API gateway",
      apiGateway,
      { name: "front", spec: { listeners, tls: { enabled: true, ...tls } } },
      "TLS",
    ],
    [
      "the limits of an API gateway",
      apiGateway,
      { name: "front", spec: { listeners, defaults: { maxConnections: 5, passiveHealthCheck: breaker } } },
      "Defaults",
    ],
    [
      "the external authorization of an API gateway",
      apiGateway,
      { name: "front", spec: { listeners, extAuthz: { enabled: false } } },
      "ExtAuthz",
    ],
    [
      "the certificate of a listener",
      apiGateway,
      { name: "front", spec: { listeners: [{ ...listeners[0], tls }] } },
      "Listeners[0].TLS.SDS",
    ],
    [
      "the limits of a TCP route's service",
      tcpRoute,
      { name: "db", spec: { parents, services: [{ name: "db", limits: { maxConnections: 5 }, tls }] } },
      "Services[0].Limits",
    ],
    [
      "the filters of an HTTP route",
      httpRoute,
      {
        name: "web",
        spec: {
          parents,
          rules: [
            {
              filters: {
                extAuthz: { enabled: false },
                extProc: [
                  {
                    mode: "override",
                    overrides: { processing: { request: { headersMode: "skip", maxBodyBytes: 9 } } },
                  },
                ],
              },
              services: [{ name: "web", limits: { maxConnections: 5, passiveHealthCheck: breaker }, tls }],
            },
          ],
        },
      },
      "Rules[0].Filters.ExtAuthz",
    ],
    [
      "the circuit breaker of an upstream",
      serviceDefaults,
      {
        name: "web",
        spec: {
          upstreamConfig: {
            defaults: { passiveHealthCheck: { ...breaker, enforcingConsecutiveGatewayFailure: 50 } },
          },
        },
      },
      "UpstreamConfig.Defaults.PassiveHealthCheck.Consecutive5xx",
    ],
  ])(
    "%s is written to a later release, and rejected by Consul 1.22 with the remedy",
    async (_, definition, program, key) => {
      const { entry } = await onRelease(definition, "later");
      await entry.create(program);
      await entry.refresh();
      await expectNoChanges(entry, program);
      const older = await onRelease(definition, "1.22");
      const failure = await older.entry.create(program).catch(String);
      expect(failure).toContain(`invalid config key "${key}"`);
      expect(failure).toContain("or use a newer version of Consul");
    },
  );

  test("an external authorization that is disabled differs from one that is not set", async () => {
    const { world, entry } = await onRelease(apiGateway, "later");
    await entry.create({ name: "front", spec: { listeners } });
    const disabled = { name: "front", spec: { listeners, extAuthz: { enabled: false } } };
    expect(changedPaths(entry, disabled)).not.toEqual([]);
    await entry.up(disabled);
    expect(await read(world, "/v1/config/api-gateway/front")).toMatchObject({ ExtAuthz: { Enabled: false } });
    await expectNoChanges(entry, disabled);
    await entry.up({ name: "front", spec: { listeners } });
    expect(await read(world, "/v1/config/api-gateway/front")).not.toHaveProperty("ExtAuthz");
  });

  test("the largest headers of a service and of a listener are members of Consul 1.22", async () => {
    const service = await onRelease(serviceDefaults, "1.22");
    await service.entry.create({ name: "web", spec: { protocol: "http", maxRequestHeadersKb: 96 } });
    expect(await read(service.world, "/v1/config/service-defaults/web")).toMatchObject({
      MaxRequestHeadersKB: 96,
    });
    const gateway = await onRelease(apiGateway, "1.22");
    const program = { name: "front", spec: { listeners: [{ ...listeners[0], maxRequestHeadersKb: 96 }] } };
    await gateway.entry.create(program);
    await expectNoChanges(gateway.entry, program);
  });
});
