import { answers } from "./in-process";
import { defaults, FALSE, httpService, intentions, Scene, scene, splitter, TRUE } from "./mesh-scene";

const ADVANCED = (name: string, protocol: string) =>
  `discovery chain "${name}" uses a protocol "${protocol}" that does not permit advanced routing or splitting behavior`;

const proxyDefaults = (protocol: string) => ({
  Kind: "proxy-defaults",
  Name: "global",
  Config: { protocol },
});
const router = (name: string, ...destinations: object[]) => ({
  Kind: "service-router",
  Name: name,
  Routes: destinations.map((Destination) => ({ Destination })),
});
const resolver = (name: string, fields: object = {}) => ({ Kind: "service-resolver", Name: name, ...fields });
const split = (name: string, ...services: object[]) =>
  splitter(name, { Splits: services.map((each) => ({ Weight: 100 / services.length, ...each })) });

/** A scene with these entries, written in this order; throws if the stub rejects one. */
async function sceneWith(...entries: { readonly Kind: string; readonly Name: string }[]): Promise<Scene> {
  const scene = new Scene();
  for (const entry of entries) await scene.existing(entry);
  return scene;
}

/** Writes an entry that breaks a rule between entries, and returns the message of the rejection. */
async function rejectionMessage(scene: Scene, entry: object): Promise<string> {
  return messageOfRejected(scene, () => scene.put(entry));
}

/** Sends a request, checks that it returns 500 and changes nothing, and returns the message. */
async function messageOfRejected(scene: Scene, send: () => ReturnType<Scene["put"]>): Promise<string> {
  const before = scene.service.dump();
  const { status, headers, body } = await send();
  expect(status).toBe(500);
  expect(headers["content-type"]).toMatch(/^text\/plain/);
  expect(scene.service.dump()).toEqual(before);
  return body;
}

describe("Protocol required by routers and splitters", () => {
  const both = [
    ["a splitter", splitter("web")],
    ["a router", router("web")],
  ] as const;

  test.each(both)(
    "rejects %s of a service without a protocol, whose default is tcp",
    async (_name, entry) => {
      expect(await rejectionMessage(scene, entry)).toBe(ADVANCED("web", "tcp"));
    },
  );

  test.each(both)("rejects %s of a tcp service, even if proxy-defaults set http", async (_name, entry) => {
    const scene = await sceneWith(proxyDefaults("http"), defaults("web", { Protocol: "tcp" }));
    expect(await rejectionMessage(scene, entry)).toBe(ADVANCED("web", "tcp"));
  });

  test.each(["http", "http2", "grpc", "HTTP"])(
    "accepts a splitter and a router if service-defaults set %s",
    async (Protocol) => {
      await sceneWith(defaults("web", { Protocol }), splitter("web"), router("web"));
    },
  );

  test.each(["http", "GRPC"])(
    "accepts a splitter and a router if proxy-defaults set %s",
    async (protocol) => {
      await sceneWith(proxyDefaults(protocol), splitter("web"), router("web"));
    },
  );

  test("service-defaults take precedence over proxy-defaults, unless their protocol is empty", async () => {
    await sceneWith(proxyDefaults("tcp"), httpService("web"), splitter("web"));
    await sceneWith(proxyDefaults("http"), defaults("web"), splitter("web"));
  });

  test("accepts a resolver of a service without a protocol", async () => {
    await sceneWith(resolver("web", { ConnectTimeout: "5s" }));
  });
});

describe("Entries that set a required protocol", () => {
  test.each([
    ["changing the protocol in", (scene: Scene) => scene.put(defaults("web", { Protocol: "tcp" }))],
    ["emptying the protocol in", (scene: Scene) => scene.put(defaults("web"))],
    ["deleting", (scene: Scene) => scene.remove("/config/service-defaults/web")],
  ])("rejects %s service-defaults while a splitter needs the protocol", async (_name, send) => {
    const scene = await sceneWith(httpService("web"), splitter("web"));
    expect(await messageOfRejected(scene, () => send(scene))).toBe(ADVANCED("web", "tcp"));
    await scene.remove("/config/service-splitter/web");
    await answers(send(scene), 200);
  });

  test.each([
    ["changing the protocol in", (scene: Scene) => scene.put(proxyDefaults("tcp"))],
    ["deleting", (scene: Scene) => scene.remove("/config/proxy-defaults/global")],
  ])("rejects %s proxy-defaults while a router needs the protocol", async (_name, send) => {
    const scene = await sceneWith(proxyDefaults("http"), router("web"));
    expect(await messageOfRejected(scene, () => send(scene))).toBe(ADVANCED("web", "tcp"));
    await scene.put(httpService("web"));
    await answers(send(scene), 200);
  });

  test("a cas that does not match returns false instead of the error of the rule", async () => {
    const scene = await sceneWith(httpService("web"), splitter("web"));
    expect((await scene.remove("/config/service-defaults/web?cas=1")).body).toBe(FALSE);
    expect((await scene.put(defaults("web"), "?cas=1")).body).toBe(FALSE);
  });

  test("rejects a delete with a matching cas", async () => {
    const scene = await sceneWith(httpService("web"), splitter("web"));
    const cas = await scene.indexOf("service-defaults", "web");
    expect(
      await messageOfRejected(scene, () => scene.remove(`/config/service-defaults/web?cas=${cas}`)),
    ).toBe(ADVANCED("web", "tcp"));
  });

  test("an invalid seeded entry blocks only writes that do not correct its own chain", async () => {
    const scene = new Scene({}, { entries: [{ entry: splitter("broken") }] });
    expect((await scene.put(defaults("web"))).body).toBe(TRUE);
    expect(await rejectionMessage(scene, defaults("broken"))).toBe(ADVANCED("broken", "tcp"));
    expect((await scene.put(httpService("broken"))).body).toBe(TRUE);
  });
});

describe("Protocols in a discovery chain", () => {
  const text = (chain: string, service: string, has: string, not: string) =>
    `discovery chain "${chain}" uses inconsistent protocols; service "${service}" has "${has}" which is not "${not}"`;

  test.each([
    ["a splitter", split("web", {}, { Service: "other" })],
    ["a router", router("web", { Service: "other" })],
    ["a redirect", resolver("web", { Redirect: { Service: "other" } })],
    ["a failover", resolver("web", { Failover: { "*": { Service: "other" } } })],
    ["a failover target", resolver("web", { Failover: { "*": { Targets: [{ Service: "other" }] } } })],
  ])("rejects %s to a service with a different protocol", async (_name, entry) => {
    const scene = await sceneWith(httpService("web"), defaults("other", { Protocol: "grpc" }));
    expect(await rejectionMessage(scene, entry)).toBe(text("web", "other", "grpc", "http"));
    await scene.put(httpService("other"));
    expect((await scene.put(entry)).body).toBe(TRUE);
    expect(await rejectionMessage(scene, defaults("other", { Protocol: "grpc" }))).toBe(
      text("web", "other", "grpc", "http"),
    );
    expect(await messageOfRejected(scene, () => scene.remove("/config/service-defaults/other"))).toBe(
      text("web", "other", "tcp", "http"),
    );
  });

  test("does not check the protocol of a service in a peer cluster", async () => {
    await sceneWith(httpService("web"), resolver("web", { Redirect: { Service: "other", Peer: "east" } }));
  });

  test("uses the protocol of the service in its own namespace", async () => {
    const scene = await sceneWith(httpService("web"));
    const entry = split("web", {}, { Service: "web", Namespace: "team" });
    expect(await rejectionMessage(scene, entry)).toBe(text("web", "team/web", "tcp", "http"));
    await scene.put(httpService("web"), "?ns=team");
    expect((await scene.put(entry)).body).toBe(TRUE);
  });

  test("checks the chains of each datacenter separately", async () => {
    const scene = await sceneWith(httpService("web"));
    const { status, body } = await scene.put(splitter("web"), "?dc=dc2");
    expect([status, body]).toEqual([500, ADVANCED("web", "tcp")]);
  });
});

describe("References to subsets", () => {
  const text = 'service "web" does not have a subset named "v1"';
  const v1 = resolver("web", { Subsets: { v1: {} } });

  test.each([
    ["a splitter", split("web", { ServiceSubset: "v1" })],
    ["a router", router("web", { ServiceSubset: "v1" })],
    ["a splitter of a different service", split("shop", { Service: "web", ServiceSubset: "v1" })],
    ["a redirect", resolver("shop", { Redirect: { Service: "web", ServiceSubset: "v1" } })],
    ["a failover", resolver("shop", { Failover: { "*": { Service: "web", ServiceSubset: "v1" } } })],
  ])(
    "rejects %s with a reference to an absent subset, and the removal of a subset in use",
    async (_name, entry) => {
      const scene = await sceneWith(httpService("web"), httpService("shop"));
      expect(await rejectionMessage(scene, entry)).toBe(text);
      await scene.put(v1);
      expect((await scene.put(entry)).body).toBe(TRUE);
      expect(await rejectionMessage(scene, resolver("web"))).toBe(text);
      expect(await messageOfRejected(scene, () => scene.remove("/config/service-resolver/web"))).toBe(text);
    },
  );

  test("accepts a split without a subset if the resolver has a default subset", async () => {
    await sceneWith(
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

describe("Cycles in discovery chains", () => {
  test("rejects a cycle of splitters", async () => {
    const scene = await sceneWith(
      proxyDefaults("http"),
      split("a", { Service: "b" }),
      split("b", { Service: "c" }),
    );
    expect(await rejectionMessage(scene, split("c", { Service: "a" }))).toBe(
      "detected circular reference: [splitter:c.default.default -> splitter:a.default.default -> splitter:b.default.default -> splitter:c.default.default]",
    );
  });

  test("accepts a splitter with a split to its own service", async () => {
    await sceneWith(proxyDefaults("http"), split("a", { Service: "a" }, { Service: "b" }));
  });

  test("accepts two paths to the same splitter", async () => {
    await sceneWith(
      proxyDefaults("http"),
      split("c", { Service: "d" }),
      split("a", { Service: "c" }),
      split("b", { Service: "a" }, { Service: "c" }),
    );
  });

  test("rejects a cycle of redirects", async () => {
    const scene = await sceneWith(resolver("a", { Redirect: { Service: "b" } }));
    expect(await rejectionMessage(scene, resolver("b", { Redirect: { Service: "a" } }))).toBe(
      "detected circular resolver redirect: [b.default.default.dc1 -> a.default.default.dc1 -> b.default.default.dc1]",
    );
  });

  test("accepts a redirect to the same service in a different datacenter", async () => {
    await sceneWith(resolver("a", { Redirect: { Datacenter: "dc2" } }));
  });

  test("accepts a cycle of failovers", async () => {
    await sceneWith(
      resolver("a", { Failover: { "*": { Service: "b", Datacenters: ["dc1", "dc2"] } } }),
      resolver("b", { Failover: { "*": { Service: "a" } } }),
    );
  });
});

describe("Resolver of a service with an external SNI", () => {
  const external = defaults("web", { ExternalSNI: "web.example.com" });

  test.each([
    ["redirects", { Redirect: { Datacenter: "dc2" } }, undefined],
    ["subsets", { Subsets: { v1: {} } }, "subsets"],
    ["failover", { Failover: { "*": { Service: "web", Datacenters: ["dc2"] } } }, "failover"],
  ])("rejects %s", async (what, fields, named) => {
    const scene = await sceneWith(external);
    expect(await rejectionMessage(scene, resolver("web", fields))).toBe(
      `service "web" has an external SNI set; cannot define ${named ?? what} for external services`,
    );
    const other = await sceneWith(resolver("web", fields));
    expect(await rejectionMessage(other, external)).toContain("has an external SNI set");
  });

  test("accepts a resolver without redirects, subsets and failover", async () => {
    await sceneWith(external, resolver("web", { ConnectTimeout: "5s" }));
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

  test("rejects an ingress listener with a protocol that differs from its services", async () => {
    const scene = await sceneWith(httpService("web"));
    expect(await rejectionMessage(scene, ingress("tcp", "web"))).toBe(text("http", "tcp"));
    expect(await rejectionMessage(scene, ingress("grpc", "web"))).toBe(text("http", "grpc"));
    expect(await rejectionMessage(scene, ingress("http", "web", "db"))).toBe(text("tcp", "http", "db"));
    expect((await scene.put(ingress("http", "web"))).body).toBe(TRUE);
  });

  test("accepts a wildcard service on an http listener", async () => {
    await sceneWith(ingress("http", "*"));
  });

  test("rejects a change of the protocol of a service on an http listener", async () => {
    const scene = await sceneWith(httpService("web"), ingress("http", "web"));
    expect(await rejectionMessage(scene, defaults("web", { Protocol: "grpc" }))).toBe(text("grpc", "http"));
    expect(await messageOfRejected(scene, () => scene.remove("/config/service-defaults/web"))).toBe(
      text("tcp", "http"),
    );
    await answers(scene.remove("/config/ingress-gateway/gate"), 200);
    await answers(scene.remove("/config/service-defaults/web"), 200);
  });

  test("accepts http for a service on a tcp listener, but no splitter or router of it", async () => {
    const scene = await sceneWith(ingress("tcp", "web"));
    expect((await scene.put(httpService("web"))).body).toBe(TRUE);
    expect(await rejectionMessage(scene, splitter("web"))).toBe(text("http", "tcp"));
    expect(await rejectionMessage(scene, router("web"))).toBe(text("http", "tcp"));
  });

  test("rejects proxy-defaults that change the protocol of a service on an http listener", async () => {
    const scene = await sceneWith(proxyDefaults("http"), ingress("http", "web"));
    expect(await rejectionMessage(scene, proxyDefaults("grpc"))).toBe(text("grpc", "http"));
  });

  test("rejects an ingress and a terminating gateway with the same name in one namespace", async () => {
    const terminating = { Kind: "terminating-gateway", Name: "gate", Services: [{ Name: "out" }] };
    const clash = (self: string, other: string) =>
      `cannot create a "${self}" config entry with name "gate", a "${other}" config entry with that name already exists`;
    const first = await sceneWith(ingress("tcp", "web"));
    expect(await rejectionMessage(first, terminating)).toBe(clash("terminating-gateway", "ingress-gateway"));
    const second = await sceneWith(terminating);
    expect(await rejectionMessage(second, ingress("tcp", "web"))).toBe(
      clash("ingress-gateway", "terminating-gateway"),
    );
    expect((await second.put(ingress("tcp", "web"), "?ns=team")).body).toBe(TRUE);
  });
});

describe("L7 intentions", () => {
  const l7Intentions = (name: string) =>
    intentions(
      name,
      { Name: "a", Permissions: [{ Action: "allow", HTTP: { PathPrefix: "/" } }] },
      { Name: "*", Action: "deny" },
    );
  const text = (protocol: string) =>
    `service "web" has protocol "${protocol}", which is incompatible with L7 intentions permissions`;

  test("are rejected for a tcp service and accepted for an http service", async () => {
    expect(await rejectionMessage(scene, l7Intentions("web"))).toBe(text("tcp"));
    await scene.put(httpService("web"));
    expect((await scene.put(l7Intentions("web"))).body).toBe(TRUE);
  });

  test("block a change of the service's protocol to tcp", async () => {
    const scene = await sceneWith(httpService("web"), l7Intentions("web"));
    expect(await rejectionMessage(scene, defaults("web", { Protocol: "tcp" }))).toBe(text("tcp"));
    expect(await messageOfRejected(scene, () => scene.remove("/config/service-defaults/web"))).toBe(
      text("tcp"),
    );
    const other = await sceneWith(proxyDefaults("http"), l7Intentions("web"));
    expect(await messageOfRejected(other, () => other.remove("/config/proxy-defaults/global"))).toBe(
      text("tcp"),
    );
  });

  test("can be deleted; L4 intentions do not restrict the protocol", async () => {
    const scene = await sceneWith(intentions("web", { Name: "a", Action: "allow" }));
    expect((await scene.put(defaults("web", { Protocol: "tcp" }))).body).toBe(TRUE);
    const sceneWithL7 = await sceneWith(httpService("web"), l7Intentions("web"));
    await answers(sceneWithL7.remove("/config/service-intentions/web"), 200);
    await answers(sceneWithL7.remove("/config/service-defaults/web"), 200);
  });
});

describe("MutualTLSMode permissive", () => {
  const text =
    "cannot set MutualTLSMode=permissive because AllowEnablingPermissiveMutualTLS=false in the mesh config entry";
  const mesh = (AllowEnablingPermissiveMutualTLS: boolean) => ({
    Kind: "mesh",
    Name: "mesh",
    AllowEnablingPermissiveMutualTLS,
  });

  test.each([
    ["service-defaults", defaults("web", { MutualTLSMode: "permissive" })],
    ["proxy-defaults", { ...proxyDefaults("http"), MutualTLSMode: "permissive" }],
  ])("is accepted in %s only if the mesh entry allows it", async (_name, entry) => {
    expect(await rejectionMessage(scene, entry)).toBe(text);
    await scene.put(mesh(false));
    expect(await rejectionMessage(scene, entry)).toBe(text);
    await scene.put(mesh(true));
    expect((await scene.put(entry)).body).toBe(TRUE);
  });

  test("an entry that is already permissive can be updated, but not made permissive again", async () => {
    const entry = defaults("web", { MutualTLSMode: "permissive" });
    const scene = await sceneWith(mesh(true), entry, mesh(false));
    expect((await scene.put({ ...entry, Protocol: "http" })).body).toBe(TRUE);
    expect((await scene.put(defaults("web", { MutualTLSMode: "strict" }))).body).toBe(TRUE);
    expect(await rejectionMessage(scene, entry)).toBe(text);
  });
});
