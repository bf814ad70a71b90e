import { answers } from "./in-process";
import { defaults, FALSE, httpService, intentions, Scene, scene, splitter, TRUE } from "./mesh-scene";

const ADVANCED = (name: string, protocol: string) =>
  `discovery chain "${name}" uses a protocol "${protocol}" that does not permit advanced routing or splitting behavior`;

const general = (protocol: string) => ({ Kind: "proxy-defaults", Name: "global", Config: { protocol } });
const router = (name: string, ...destinations: object[]) => ({
  Kind: "service-router",
  Name: name,
  Routes: destinations.map((Destination) => ({ Destination })),
});
const resolver = (name: string, fields: object = {}) => ({ Kind: "service-resolver", Name: name, ...fields });
const split = (name: string, ...services: object[]) =>
  splitter(name, { Splits: services.map((each) => ({ Weight: 100 / services.length, ...each })) });

/** A scene in which these entries have been accepted, one after the other. */
async function holding(...entries: { readonly Kind: string; readonly Name: string }[]): Promise<Scene> {
  const scene = new Scene();
  for (const entry of entries) await scene.existing(entry);
  return scene;
}

/** What the service says to a write that breaks a rule between entries; it changes nothing then. */
async function refusal(scene: Scene, entry: object): Promise<string> {
  return refused(scene, () => scene.put(entry));
}

async function refused(scene: Scene, send: () => ReturnType<Scene["put"]>): Promise<string> {
  const before = scene.service.dump();
  const { status, headers, body } = await send();
  expect(status).toBe(500);
  expect(headers["content-type"]).toMatch(/^text\/plain/);
  expect(scene.service.dump()).toEqual(before);
  return body;
}

describe("Routers and splitters need a service that speaks HTTP", () => {
  const both = [
    ["a splitter", splitter("web")],
    ["a router", router("web")],
  ] as const;

  test.each(both)("%s of a service of no protocol, which is tcp, is refused", async (_name, entry) => {
    expect(await refusal(scene, entry)).toBe(ADVANCED("web", "tcp"));
  });

  test.each(both)("%s of a service of another protocol is refused", async (_name, entry) => {
    const scene = await holding(general("http"), defaults("web", { Protocol: "tcp" }));
    expect(await refusal(scene, entry)).toBe(ADVANCED("web", "tcp"));
  });

  test.each(["http", "http2", "grpc", "HTTP"])(
    "both are accepted where the service says %s",
    async (Protocol) => {
      await holding(defaults("web", { Protocol }), splitter("web"), router("web"));
    },
  );

  test.each(["http", "GRPC"])("both are accepted where the proxies' defaults say %s", async (protocol) => {
    await holding(general(protocol), splitter("web"), router("web"));
  });

  test("the service's own protocol wins over the general one; an empty one says nothing", async () => {
    await holding(general("tcp"), httpService("web"), splitter("web"));
    await holding(general("http"), defaults("web"), splitter("web"));
  });

  test("a resolver needs none", async () => {
    await holding(resolver("web", { ConnectTimeout: "5s" }));
  });
});

describe("What gives the protocol cannot be taken away", () => {
  test.each([
    ["changing", (scene: Scene) => scene.put(defaults("web", { Protocol: "tcp" }))],
    ["emptying", (scene: Scene) => scene.put(defaults("web"))],
    ["deleting", (scene: Scene) => scene.remove("/config/service-defaults/web")],
  ])("%s the service's defaults is refused", async (_name, send) => {
    const scene = await holding(httpService("web"), splitter("web"));
    expect(await refused(scene, () => send(scene))).toBe(ADVANCED("web", "tcp"));
    await scene.remove("/config/service-splitter/web");
    await answers(send(scene), 200);
  });

  test.each([
    ["changing", (scene: Scene) => scene.put(general("tcp"))],
    ["deleting", (scene: Scene) => scene.remove("/config/proxy-defaults/global")],
  ])("%s the proxies' defaults is refused", async (_name, send) => {
    const scene = await holding(general("http"), router("web"));
    expect(await refused(scene, () => send(scene))).toBe(ADVANCED("web", "tcp"));
    await scene.put(httpService("web"));
    await answers(send(scene), 200);
  });

  test("with a check that fails, the answer is false and not the rule", async () => {
    const scene = await holding(httpService("web"), splitter("web"));
    expect((await scene.remove("/config/service-defaults/web?cas=1")).body).toBe(FALSE);
    expect((await scene.put(defaults("web"), "?cas=1")).body).toBe(FALSE);
  });

  test("deleting it with its own check is refused all the same", async () => {
    const scene = await holding(httpService("web"), splitter("web"));
    const cas = await scene.indexOf("service-defaults", "web");
    expect(await refused(scene, () => scene.remove(`/config/service-defaults/web?cas=${cas}`))).toBe(
      ADVANCED("web", "tcp"),
    );
  });

  test("what an administrator has broken already does not stop what has nothing to do with it", async () => {
    const scene = new Scene({}, { entries: [{ entry: splitter("broken") }] });
    expect((await scene.put(defaults("web"))).body).toBe(TRUE);
    expect(await refusal(scene, defaults("broken"))).toBe(ADVANCED("broken", "tcp"));
    expect((await scene.put(httpService("broken"))).body).toBe(TRUE);
  });
});

describe("Every service of a chain speaks the same", () => {
  const text = (chain: string, service: string, has: string, not: string) =>
    `discovery chain "${chain}" uses inconsistent protocols; service "${service}" has "${has}" which is not "${not}"`;

  test.each([
    ["a splitter", split("web", {}, { Service: "other" })],
    ["a router", router("web", { Service: "other" })],
    ["a redirect", resolver("web", { Redirect: { Service: "other" } })],
    ["a failover", resolver("web", { Failover: { "*": { Service: "other" } } })],
    ["a failover's target", resolver("web", { Failover: { "*": { Targets: [{ Service: "other" }] } } })],
  ])("%s to one of another protocol is refused", async (_name, entry) => {
    const scene = await holding(httpService("web"), defaults("other", { Protocol: "grpc" }));
    expect(await refusal(scene, entry)).toBe(text("web", "other", "grpc", "http"));
    await scene.put(httpService("other"));
    expect((await scene.put(entry)).body).toBe(TRUE);
    expect(await refusal(scene, defaults("other", { Protocol: "grpc" }))).toBe(
      text("web", "other", "grpc", "http"),
    );
    expect(await refused(scene, () => scene.remove("/config/service-defaults/other"))).toBe(
      text("web", "other", "tcp", "http"),
    );
  });

  test("what another cluster's services speak is not known", async () => {
    await holding(httpService("web"), resolver("web", { Redirect: { Service: "other", Peer: "east" } }));
  });

  test("the services of each namespace are its own", async () => {
    const scene = await holding(httpService("web"));
    const entry = split("web", {}, { Service: "web", Namespace: "team" });
    expect(await refusal(scene, entry)).toBe(text("web", "team/web", "tcp", "http"));
    await scene.put(httpService("web"), "?ns=team");
    expect((await scene.put(entry)).body).toBe(TRUE);
  });

  test("each datacenter has its own chains", async () => {
    const scene = await holding(httpService("web"));
    const { status, body } = await scene.put(splitter("web"), "?dc=dc2");
    expect([status, body]).toEqual([500, ADVANCED("web", "tcp")]);
  });
});

describe("Subsets are there where they are asked for", () => {
  const text = 'service "web" does not have a subset named "v1"';
  const v1 = resolver("web", { Subsets: { v1: {} } });

  test.each([
    ["a splitter", split("web", { ServiceSubset: "v1" })],
    ["a router", router("web", { ServiceSubset: "v1" })],
    ["another service's splitter", split("shop", { Service: "web", ServiceSubset: "v1" })],
    ["a redirect", resolver("shop", { Redirect: { Service: "web", ServiceSubset: "v1" } })],
    ["a failover", resolver("shop", { Failover: { "*": { Service: "web", ServiceSubset: "v1" } } })],
  ])("%s to one that is not is refused; and it cannot be taken away", async (_name, entry) => {
    const scene = await holding(httpService("web"), httpService("shop"));
    expect(await refusal(scene, entry)).toBe(text);
    await scene.put(v1);
    expect((await scene.put(entry)).body).toBe(TRUE);
    expect(await refusal(scene, resolver("web"))).toBe(text);
    expect(await refused(scene, () => scene.remove("/config/service-resolver/web"))).toBe(text);
  });

  test("a default subset stands for none", async () => {
    await holding(
      httpService("web"),
      resolver("web", {
        Subsets: { v1: {}, v2: {} },
        DefaultSubset: "v1",
        Failover: { v1: { ServiceSubset: "v2" } },
      }),
      split("web", {}, { ServiceSubset: "v2" }),
    );
  });
});

describe("Chains do not lead back", () => {
  test("a circle of splitters is refused", async () => {
    const scene = await holding(general("http"), split("a", { Service: "b" }), split("b", { Service: "c" }));
    expect(await refusal(scene, split("c", { Service: "a" }))).toBe(
      "detected circular reference: [splitter:c.default.default -> splitter:a.default.default -> splitter:b.default.default -> splitter:c.default.default]",
    );
  });

  test("a splitter may send a part back to its own service", async () => {
    await holding(general("http"), split("a", { Service: "a" }, { Service: "b" }));
  });

  test("two ways to one splitter are no circle", async () => {
    await holding(
      general("http"),
      split("c", { Service: "d" }),
      split("a", { Service: "c" }),
      split("b", { Service: "a" }, { Service: "c" }),
    );
  });

  test("a circle of redirects is refused", async () => {
    const scene = await holding(resolver("a", { Redirect: { Service: "b" } }));
    expect(await refusal(scene, resolver("b", { Redirect: { Service: "a" } }))).toBe(
      "detected circular resolver redirect: [b.default.default.dc1 -> a.default.default.dc1 -> b.default.default.dc1]",
    );
  });

  test("a redirect to another datacenter's own is no circle", async () => {
    await holding(resolver("a", { Redirect: { Datacenter: "dc2" } }));
  });

  test("a failover may lead back", async () => {
    await holding(
      resolver("a", { Failover: { "*": { Service: "b", Datacenters: ["dc1", "dc2"] } } }),
      resolver("b", { Failover: { "*": { Service: "a" } } }),
    );
  });
});

describe("A service outside of the mesh", () => {
  const external = defaults("web", { ExternalSNI: "web.example.com" });

  test.each([
    ["redirects", { Redirect: { Datacenter: "dc2" } }, undefined],
    ["subsets", { Subsets: { v1: {} } }, "subsets"],
    ["failover", { Failover: { "*": { Service: "web", Datacenters: ["dc2"] } } }, "failover"],
  ])("has no %s", async (what, fields, named) => {
    const scene = await holding(external);
    expect(await refusal(scene, resolver("web", fields))).toBe(
      `service "web" has an external SNI set; cannot define ${named ?? what} for external services`,
    );
    const other = await holding(resolver("web", fields));
    expect(await refusal(other, external)).toContain("has an external SNI set");
  });

  test("may have a resolver without them", async () => {
    await holding(external, resolver("web", { ConnectTimeout: "5s" }));
  });
});

describe("Gateways", () => {
  const ingress = (Protocol: string, ...names: string[]) => ({
    Kind: "ingress-gateway",
    Name: "gate",
    Listeners: [{ Port: 80, Protocol, Services: names.map((Name) => ({ Name })) }],
  });
  const text = (has: string, listener: string, service = "web") =>
    `service "${service}" has protocol "${has}", which does not match defined listener protocol "${listener}"`;

  test("a listener's protocol is that of its services", async () => {
    const scene = await holding(httpService("web"));
    expect(await refusal(scene, ingress("tcp", "web"))).toBe(text("http", "tcp"));
    expect(await refusal(scene, ingress("grpc", "web"))).toBe(text("http", "grpc"));
    expect(await refusal(scene, ingress("http", "web", "db"))).toBe(text("tcp", "http", "db"));
    expect((await scene.put(ingress("http", "web"))).body).toBe(TRUE);
  });

  test("a wildcard service may speak anything", async () => {
    await holding(ingress("http", "*"));
  });

  test("under a gateway a service may not change what it speaks", async () => {
    const scene = await holding(httpService("web"), ingress("http", "web"));
    expect(await refusal(scene, defaults("web", { Protocol: "grpc" }))).toBe(text("grpc", "http"));
    expect(await refused(scene, () => scene.remove("/config/service-defaults/web"))).toBe(
      text("tcp", "http"),
    );
    await answers(scene.remove("/config/ingress-gateway/gate"), 200);
    await answers(scene.remove("/config/service-defaults/web"), 200);
  });

  test("but under a plain listener it may, as long as its requests are not told apart", async () => {
    const scene = await holding(ingress("tcp", "web"));
    expect((await scene.put(httpService("web"))).body).toBe(TRUE);
    expect(await refusal(scene, splitter("web"))).toBe(text("http", "tcp"));
    expect(await refusal(scene, router("web"))).toBe(text("http", "tcp"));
  });

  test("the proxies' defaults may not change it either", async () => {
    const scene = await holding(general("http"), ingress("http", "web"));
    expect(await refusal(scene, general("grpc"))).toBe(text("grpc", "http"));
  });

  test("one name is of one kind of gateway", async () => {
    const terminating = { Kind: "terminating-gateway", Name: "gate", Services: [{ Name: "out" }] };
    const clash = (self: string, other: string) =>
      `cannot create a "${self}" config entry with name "gate", a "${other}" config entry with that name already exists`;
    const first = await holding(ingress("tcp", "web"));
    expect(await refusal(first, terminating)).toBe(clash("terminating-gateway", "ingress-gateway"));
    const second = await holding(terminating);
    expect(await refusal(second, ingress("tcp", "web"))).toBe(
      clash("ingress-gateway", "terminating-gateway"),
    );
    expect((await second.put(ingress("tcp", "web"), "?ns=team")).body).toBe(TRUE);
  });
});

describe("Intentions that judge requests", () => {
  const judged = (name: string) =>
    intentions(
      name,
      { Name: "a", Permissions: [{ Action: "allow", HTTP: { PathPrefix: "/" } }] },
      { Name: "*", Action: "deny" },
    );
  const text = (protocol: string) =>
    `service "web" has protocol "${protocol}", which is incompatible with L7 intentions permissions`;

  test("need a service that speaks HTTP", async () => {
    expect(await refusal(scene, judged("web"))).toBe(text("tcp"));
    await scene.put(httpService("web"));
    expect((await scene.put(judged("web"))).body).toBe(TRUE);
  });

  test("hold it there", async () => {
    const scene = await holding(httpService("web"), judged("web"));
    expect(await refusal(scene, defaults("web", { Protocol: "tcp" }))).toBe(text("tcp"));
    expect(await refused(scene, () => scene.remove("/config/service-defaults/web"))).toBe(text("tcp"));
    const other = await holding(general("http"), judged("web"));
    expect(await refused(other, () => other.remove("/config/proxy-defaults/global"))).toBe(text("tcp"));
  });

  test("others need none, and deleting them is free", async () => {
    const scene = await holding(intentions("web", { Name: "a", Action: "allow" }));
    expect((await scene.put(defaults("web", { Protocol: "tcp" }))).body).toBe(TRUE);
    const held = await holding(httpService("web"), judged("web"));
    await answers(held.remove("/config/service-intentions/web"), 200);
    await answers(held.remove("/config/service-defaults/web"), 200);
  });
});

describe("Connections that are not encrypted", () => {
  const text =
    "cannot set MutualTLSMode=permissive because AllowEnablingPermissiveMutualTLS=false in the mesh config entry";
  const mesh = (AllowEnablingPermissiveMutualTLS: boolean) => ({
    Kind: "mesh",
    Name: "mesh",
    AllowEnablingPermissiveMutualTLS,
  });

  test.each([
    ["a service", defaults("web", { MutualTLSMode: "permissive" })],
    ["the proxies", { ...general("http"), MutualTLSMode: "permissive" }],
  ])("are accepted by %s only where the mesh allows it", async (_name, entry) => {
    expect(await refusal(scene, entry)).toBe(text);
    await scene.put(mesh(false));
    expect(await refusal(scene, entry)).toBe(text);
    await scene.put(mesh(true));
    expect((await scene.put(entry)).body).toBe(TRUE);
  });

  test("what is so already may stay so", async () => {
    const entry = defaults("web", { MutualTLSMode: "permissive" });
    const scene = await holding(mesh(true), entry, mesh(false));
    expect((await scene.put({ ...entry, Protocol: "http" })).body).toBe(TRUE);
    expect((await scene.put(defaults("web", { MutualTLSMode: "strict" }))).body).toBe(TRUE);
    expect(await refusal(scene, entry)).toBe(text);
  });
});
