import { answers } from "./in-process";
import {
  defaults,
  HTTP_WEB,
  intentions,
  SAMPLES,
  Scene,
  scene,
  TOKENS,
  type TokenName,
  TRUE,
} from "./mesh-scene";

type Right = "service" | "intentions" | "mesh" | "operator";

/** The table "Required ACLs by kind": any permission of `write` allows a write and a delete, any of `read` a read. */
const TABLE: readonly (readonly [
  kind: keyof typeof SAMPLES | "bound-api-gateway",
  write: readonly Right[],
  read: readonly Right[] | "none",
])[] = [
  ["api-gateway", ["mesh", "operator"], ["service"]],
  ["bound-api-gateway", [], ["service"]],
  ["exported-services", ["mesh", "operator"], ["mesh", "operator"]],
  ["file-system-certificate", ["mesh", "operator"], ["mesh", "operator"]],
  ["http-route", ["mesh", "operator"], ["mesh", "operator"]],
  ["ingress-gateway", ["mesh", "operator"], ["service"]],
  ["inline-certificate", ["mesh", "operator"], ["mesh", "operator"]],
  ["jwt-provider", ["mesh", "operator"], ["mesh", "operator"]],
  ["mesh", ["mesh", "operator"], "none"],
  ["proxy-defaults", ["mesh", "operator"], "none"],
  ["service-defaults", ["service"], ["service"]],
  ["service-intentions", ["intentions"], ["intentions"]],
  ["service-resolver", ["service"], ["service"]],
  ["service-router", ["service"], ["service"]],
  ["service-splitter", ["service"], ["service"]],
  ["tcp-route", ["mesh", "operator"], ["mesh", "operator"]],
  ["terminating-gateway", ["mesh", "operator"], ["service"]],
];

const RIGHTS: readonly Right[] = ["service", "intentions", "mesh", "operator"];

const WRITERS = {
  service: "serviceWriter",
  intentions: "intentionsWriter",
  mesh: "meshWriter",
  operator: "operatorWriter",
} as const satisfies Record<Right, TokenName>;

const READERS = {
  service: "serviceReader",
  intentions: "intentionsReader",
  mesh: "meshReader",
  operator: "operatorReader",
} as const satisfies Record<Right, TokenName>;

/** A scene with an entry of the kind, its path, and a changed version of the entry. */
async function sceneWithEntry(kind: (typeof TABLE)[number][0]) {
  const scene = new Scene({}, HTTP_WEB);
  if (kind === "bound-api-gateway") {
    await scene.existing(SAMPLES["api-gateway"]);
    return { scene, path: "/config/bound-api-gateway/front", entry: { Kind: kind, Name: "front" } };
  }
  await scene.put(SAMPLES[kind]);
  const path = `/config/${kind}/${SAMPLES[kind].Name}`;
  return { scene, path, entry: { ...SAMPLES[kind], Meta: { changed: "yes" } } };
}

describe.each(TABLE)("Required ACLs of %s", (kind, write, read) => {
  // service:read includes intentions:read.
  const allowsRead = (right: Right) =>
    read === "none" || read.includes(right) || (kind === "service-intentions" && right === "service");

  test.each(RIGHTS)(
    "%s:write allows a write and a delete of the entry only if the table lists it",
    async (right) => {
      const { scene, path, entry } = await sceneWithEntry(kind);
      const as = TOKENS[WRITERS[right]];
      const isAllowed = write.includes(right);
      const written = await scene.put(entry, "", { as });
      expect([written.status, written.body]).toEqual(isAllowed ? [200, TRUE] : [403, expect.any(String)]);
      const removed = await scene.remove(path, { as });
      expect([removed.status, removed.body]).toEqual(isAllowed ? [200, {}] : [403, expect.any(String)]);
      await answers(scene.get(path), isAllowed ? 404 : 200);
    },
  );

  test.each(RIGHTS)("%s:read does not allow a write or a delete of the entry", async (right) => {
    const { scene, path, entry } = await sceneWithEntry(kind);
    const as = TOKENS[READERS[right]];
    await answers(scene.put(entry, "", { as }), 403);
    await answers(scene.remove(path, { as }), 403);
    await answers(scene.get(path), 200);
  });

  test.each(RIGHTS)(
    "%s:read allows a read and a list of the entry only if the table lists it",
    async (right) => {
      const { scene, path } = await sceneWithEntry(kind);
      const isAllowed = allowsRead(right);
      const as = TOKENS[READERS[right]];
      await answers(scene.get(path, { as }), isAllowed ? 200 : 403);
      const { status, body } = await scene.get(`/config/${kind}`, { as });
      expect([status, body.length]).toEqual([200, isAllowed ? 1 : 0]);
    },
  );

  test.each(RIGHTS)(
    "%s:write includes the read permission for a read and a list of the entry",
    async (right) => {
      const { scene, path } = await sceneWithEntry(kind);
      const isAllowed = allowsRead(right);
      const as = TOKENS[WRITERS[right]];
      await answers(scene.get(path, { as }), isAllowed ? 200 : 403);
      expect((await scene.get(`/config/${kind}`, { as })).body).toHaveLength(isAllowed ? 1 : 0);
    },
  );

  test.each([
    ["a token without permissions", TOKENS.stranger],
    ["no token", ""],
  ])(
    "with %s, the entry can be read only if the table requires no ACL, and not be written or deleted",
    async (_name, as) => {
      const { scene, path, entry } = await sceneWithEntry(kind);
      await answers(scene.get(path, { as }), read === "none" ? 200 : 403);
      await answers(scene.put(entry, "", { as }), 403);
      await answers(scene.remove(path, { as }), 403);
    },
  );
});

describe("ACL rules by service name", () => {
  const rules = {
    service: { web: "write", shop: "deny" },
    servicePrefix: { "": "read", team: "write", "team-secret": "deny" },
  };
  const scene = (more: object = {}) =>
    new Scene(
      {},
      { tokens: { t: { rules: { ...rules, ...more } }, [TOKENS.manager]: { management: true } } },
    );
  const as = "t";

  test.each([
    ["web", 200, 200],
    ["shop", 403, 403],
    ["other", 200, 403],
    ["team-a", 200, 200],
    ["team-secrets", 403, 403],
  ])(
    "service %s: the rule with the exact name applies, otherwise the rule with the longest prefix",
    async (name, read, write) => {
      const each = scene();
      await each.put(defaults(name));
      await answers(each.get(`/config/service-defaults/${name}`, { as }), read);
      await answers(each.put(defaults(name, { Protocol: "tcp" }), "", { as }), write);
    },
  );

  test.each([
    ["web", 200, 403],
    ["shop", 403, 403],
  ])(
    "service %s: without an intentions rule, the service rule decides on reads, and writes return 403",
    async (name, read, write) => {
      const each = scene();
      const entry = intentions(name, { Name: "a", Action: "allow" });
      await each.put(entry);
      await answers(each.get(`/config/service-intentions/${name}`, { as }), read);
      await answers(each.put({ ...entry, Meta: { a: "b" } }, "", { as }), write);
    },
  );

  test("an intentions rule takes precedence over the service rule", async () => {
    const each = scene({ intentions: { web: "deny" }, intentionsPrefix: { shop: "write" } });
    await each.put(intentions("web", { Name: "a", Action: "allow" }));
    await answers(each.get("/config/service-intentions/web", { as }), 403);
    expect((await each.put(intentions("shop", { Name: "a", Action: "deny" }), "", { as })).body).toBe(TRUE);
  });

  test("a splitter to a different service requires service:read on that service", async () => {
    const each = scene();
    await each.put({ Kind: "proxy-defaults", Name: "global", Config: { protocol: "http" } });
    const to = (Service: string) => ({
      Kind: "service-splitter",
      Name: "web",
      Splits: [{ Weight: 100, Service }],
    });
    expect((await each.put(to("other"), "", { as })).body).toBe(TRUE);
    await answers(
      each.put(to("shop"), "", { as }),
      403,
      "Permission denied: provided token lacks permission 'service:read' on \"shop\"",
    );
  });
});

describe("ACL filtering of lists", () => {
  const FILTERED = "x-mesh-results-filtered-by-acls";

  async function sceneWithTwoServices(): Promise<Scene> {
    const rules = { service: { web: "read" } };
    const scene = new Scene(
      {},
      {
        tokens: {
          t: { rules },
          [TOKENS.manager]: { management: true },
          all: { rules: { servicePrefix: { "": "read" } } },
        },
      },
    );
    await scene.put(defaults("api"));
    await scene.put(defaults("web"));
    return scene;
  }

  test("a list omits entries that the token cannot read and sets the results-filtered-by-acls header", async () => {
    const { status, headers, body } = await (await sceneWithTwoServices()).get("/config/service-defaults", {
      as: "t",
    });
    expect(status).toBe(200);
    expect(body.map(({ Name }: { Name: string }) => Name)).toEqual(["web"]);
    expect(headers[FILTERED]).toBe("true");
  });

  test("a list without readable entries is empty and sets the results-filtered-by-acls header", async () => {
    const scene = await sceneWithTwoServices();
    await scene.put(SAMPLES["exported-services"]);
    const { status, headers, body } = await scene.get("/config/exported-services", { as: "t" });
    expect([status, body, headers[FILTERED]]).toEqual([200, [], "true"]);
  });

  test.each([TOKENS.manager, "all"])(
    "the results-filtered-by-acls header is absent if the token %s can read every entry",
    async (as) => {
      const { headers, body } = await (await sceneWithTwoServices()).get("/config/service-defaults", { as });
      expect(body).toHaveLength(2);
      expect(headers).not.toHaveProperty(FILTERED);
    },
  );

  test("the results-filtered-by-acls header is absent if only the filter parameter removes entries", async () => {
    const { headers, body } = await (await sceneWithTwoServices()).get(
      "/config/service-defaults?filter=Name==api",
    );
    expect(body).toHaveLength(1);
    expect(headers).not.toHaveProperty(FILTERED);
  });
});

describe("Tokens", () => {
  const PATH = "/config/service-defaults/web";

  test("an unknown token returns 403, also for a kind that requires no ACL", async () => {
    await scene.put(SAMPLES.mesh);
    for (const path of [PATH, "/config/mesh/mesh", "/config/service-defaults"]) {
      await answers(scene.get(path, { as: "unknown" }), 403, "ACL not found");
    }
    await answers(scene.put(defaults("web"), "", { as: "unknown" }), 403);
    await answers(scene.remove(PATH, { as: "unknown" }), 403);
  });

  test("a token can be a bearer token; the x-mesh-token header takes precedence", async () => {
    const bearer = (token: string) => ({ as: "", headers: { authorization: `Bearer ${token}` } });
    expect((await scene.put(defaults("web"), "", bearer(TOKENS.manager))).body).toBe(TRUE);
    await answers(scene.get(PATH, bearer("unknown")), 403);
    const both = { as: TOKENS.manager, headers: { authorization: "Bearer unknown" } };
    await answers(scene.get(PATH, both), 200);
  });

  test("a request without a token has the permissions of the anonymous token", async () => {
    const rules = { servicePrefix: { "": "read" } };
    const scene = new Scene({}, { tokens: { anonymous: { rules }, [TOKENS.manager]: { management: true } } });
    await scene.put(defaults("web"));
    await answers(scene.get(PATH, { as: "" }), 200);
    await answers(scene.put(defaults("api"), "", { as: "" }), 403);
  });

  test.each([
    [
      "a token with an accessor id",
      TOKENS.stranger,
      "token with AccessorID 'accessor-stranger' lacks permission 'service:write' on \"web\"",
    ],
    [
      "a token without an accessor id",
      TOKENS.meshWriter,
      "provided token lacks permission 'service:write' on \"web\"",
    ],
    [
      "no token",
      "",
      "anonymous token lacks permission 'service:write' on \"web\". The anonymous token is used implicitly when a request does not specify a token.",
    ],
  ])("a 403 for %s names the missing permission", async (_name, as, text) => {
    const { status, headers, body } = await scene.put(defaults("web"), "", { as });
    expect([status, body]).toEqual([403, `Permission denied: ${text}`]);
    expect(headers["content-type"]).toMatch(/^text\/plain/);
  });

  test("a 403 for a missing mesh permission names no entry", async () => {
    const { body } = await scene.put(SAMPLES.mesh, "", { as: TOKENS.operatorReader });
    expect(body).toBe("Permission denied: provided token lacks permission 'mesh:write'");
  });

  test("tokens are not checked if ACLs are disabled", async () => {
    const scene = new Scene({ acl: false });
    expect((await scene.put(defaults("web"), "", { as: "" })).body).toBe(TRUE);
    await answers(scene.get(PATH, { as: "unknown" }), 200);
  });

  test("a write that returns 403 changes nothing", async () => {
    const before = scene.service.dump();
    await scene.put(defaults("web"), "", { as: TOKENS.serviceReader });
    expect(scene.service.dump()).toEqual(before);
  });
});
