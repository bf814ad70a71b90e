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

/** The table "Required ACLs by kind", row by row: any of these writes and deletes, any of those reads. */
const TABLE: readonly (readonly [
  kind: keyof typeof SAMPLES | "bound-api-gateway",
  write: readonly Right[],
  read: readonly Right[] | "none",
])[] = [
  ["api-gateway", ["mesh", "operator"], ["service"]],
  ["bound-api-gateway", [], ["service"]],
  ["exported-services", ["mesh", "operator"], ["mesh", "operator"]],
  ["http-route", ["mesh", "operator"], ["mesh", "operator"]],
  ["ingress-gateway", ["mesh", "operator"], ["service"]],
  ["inline-certificate", ["mesh", "operator"], ["mesh", "operator"]],
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

/** A scene in which an entry of the kind is there, and how to write it anew. */
async function holding(kind: (typeof TABLE)[number][0]) {
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
  test.each(RIGHTS)("%s:write writes and deletes it only where the table says so", async (right) => {
    const { scene, path, entry } = await holding(kind);
    const as = TOKENS[WRITERS[right]];
    const isAllowed = write.includes(right);
    const written = await scene.put(entry, "", { as });
    expect([written.status, written.body]).toEqual(isAllowed ? [200, TRUE] : [403, expect.any(String)]);
    const removed = await scene.remove(path, { as });
    expect([removed.status, removed.body]).toEqual(isAllowed ? [200, {}] : [403, expect.any(String)]);
    await answers(scene.get(path), isAllowed ? 404 : 200);
  });

  test.each(RIGHTS)("%s:read neither writes nor deletes it", async (right) => {
    const { scene, path, entry } = await holding(kind);
    const as = TOKENS[READERS[right]];
    await answers(scene.put(entry, "", { as }), 403);
    await answers(scene.remove(path, { as }), 403);
    await answers(scene.get(path), 200);
  });

  test.each(RIGHTS)("%s:read reads and lists it only where the table says so", async (right) => {
    const { scene, path } = await holding(kind);
    // Who may read a service may read its intentions.
    const implied = kind === "service-intentions" && right === "service";
    const isAllowed = read === "none" || read.includes(right) || implied;
    const as = TOKENS[READERS[right]];
    await answers(scene.get(path, { as }), isAllowed ? 200 : 403);
    const { status, body } = await scene.get(`/config/${kind}`, { as });
    expect([status, body.length]).toEqual([200, isAllowed ? 1 : 0]);
  });

  test.each(RIGHTS)("%s:write reads and lists it as read does", async (right) => {
    const { scene, path } = await holding(kind);
    const implied = kind === "service-intentions" && right === "service";
    const isAllowed = read === "none" || read.includes(right) || implied;
    const as = TOKENS[WRITERS[right]];
    await answers(scene.get(path, { as }), isAllowed ? 200 : 403);
    expect((await scene.get(`/config/${kind}`, { as })).body).toHaveLength(isAllowed ? 1 : 0);
  });

  test.each([
    ["a token without rights", TOKENS.stranger],
    ["no token", ""],
  ])("%s reads it only where no ACL is required, and never writes it", async (_name, as) => {
    const { scene, path, entry } = await holding(kind);
    await answers(scene.get(path, { as }), read === "none" ? 200 : 403);
    await answers(scene.put(entry, "", { as }), 403);
    await answers(scene.remove(path, { as }), 403);
  });
});

describe("Rules by name", () => {
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
  ])("of %s: the exact name, else the longest prefix, decides", async (name, read, write) => {
    const each = scene();
    await each.put(defaults(name));
    await answers(each.get(`/config/service-defaults/${name}`, { as }), read);
    await answers(each.put(defaults(name, { Protocol: "tcp" }), "", { as }), write);
  });

  test.each([
    ["web", 200, 403],
    ["shop", 403, 403],
  ])(
    "of %s: where no rule speaks of intentions, the service's says who reads them",
    async (name, read, write) => {
      const each = scene();
      const entry = intentions(name, { Name: "a", Action: "allow" });
      await each.put(entry);
      await answers(each.get(`/config/service-intentions/${name}`, { as }), read);
      await answers(each.put({ ...entry, Meta: { a: "b" } }, "", { as }), write);
    },
  );

  test("a rule on intentions comes before the service's", async () => {
    const each = scene({ intentions: { web: "deny" }, intentionsPrefix: { shop: "write" } });
    await each.put(intentions("web", { Name: "a", Action: "allow" }));
    await answers(each.get("/config/service-intentions/web", { as }), 403);
    expect((await each.put(intentions("shop", { Name: "a", Action: "deny" }), "", { as })).body).toBe(TRUE);
  });

  test("who sends a service's traffic on to another must be allowed to read that one", async () => {
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

describe("Lists and ACLs", () => {
  const FILTERED = "x-mesh-results-filtered-by-acls";

  async function listed(): Promise<Scene> {
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

  test("what the token may not read is left out, and a header says so", async () => {
    const { status, headers, body } = await (await listed()).get("/config/service-defaults", { as: "t" });
    expect(status).toBe(200);
    expect(body.map(({ Name }: { Name: string }) => Name)).toEqual(["web"]);
    expect(headers[FILTERED]).toBe("true");
  });

  test("where everything is left out the list is empty, and the header says why", async () => {
    const scene = await listed();
    await scene.put(SAMPLES["exported-services"]);
    const { status, headers, body } = await scene.get("/config/exported-services", { as: "t" });
    expect([status, body, headers[FILTERED]]).toEqual([200, [], "true"]);
  });

  test.each([TOKENS.manager, "all"])("where nothing is left out there is no such header (%s)", async (as) => {
    const { headers, body } = await (await listed()).get("/config/service-defaults", { as });
    expect(body).toHaveLength(2);
    expect(headers).not.toHaveProperty(FILTERED);
  });

  test("what a filter leaves out is not left out by ACLs", async () => {
    const { headers, body } = await (await listed()).get("/config/service-defaults?filter=Name==api");
    expect(body).toHaveLength(1);
    expect(headers).not.toHaveProperty(FILTERED);
  });
});

describe("Tokens", () => {
  const PATH = "/config/service-defaults/web";

  test("an unknown one is 403, whatever the kind asks for", async () => {
    await scene.put(SAMPLES.mesh);
    for (const path of [PATH, "/config/mesh/mesh", "/config/service-defaults"]) {
      await answers(scene.get(path, { as: "unknown" }), 403, "ACL not found");
    }
    await answers(scene.put(defaults("web"), "", { as: "unknown" }), 403);
    await answers(scene.remove(PATH, { as: "unknown" }), 403);
  });

  test("may come as a bearer; the service's own header comes first", async () => {
    const bearer = (token: string) => ({ as: "", headers: { authorization: `Bearer ${token}` } });
    expect((await scene.put(defaults("web"), "", bearer(TOKENS.manager))).body).toBe(TRUE);
    await answers(scene.get(PATH, bearer("unknown")), 403);
    const both = { as: TOKENS.manager, headers: { authorization: "Bearer unknown" } };
    await answers(scene.get(PATH, both), 200);
  });

  test("who sends none is the anonymous one, with whatever rights that has", async () => {
    const rules = { servicePrefix: { "": "read" } };
    const scene = new Scene({}, { tokens: { anonymous: { rules }, [TOKENS.manager]: { management: true } } });
    await scene.put(defaults("web"));
    await answers(scene.get(PATH, { as: "" }), 200);
    await answers(scene.put(defaults("api"), "", { as: "" }), 403);
  });

  test.each([
    [
      "a named token",
      TOKENS.stranger,
      "token with AccessorID 'accessor-stranger' lacks permission 'service:write' on \"web\"",
    ],
    [
      "a token without a name",
      TOKENS.meshWriter,
      "provided token lacks permission 'service:write' on \"web\"",
    ],
    [
      "no token",
      "",
      "anonymous token lacks permission 'service:write' on \"web\". The anonymous token is used implicitly when a request does not specify a token.",
    ],
  ])("a refusal of %s says what is lacking", async (_name, as, text) => {
    const { status, headers, body } = await scene.put(defaults("web"), "", { as });
    expect([status, body]).toEqual([403, `Permission denied: ${text}`]);
    expect(headers["content-type"]).toMatch(/^text\/plain/);
  });

  test("a refusal of a right on the whole names no entry", async () => {
    const { body } = await scene.put(SAMPLES.mesh, "", { as: TOKENS.operatorReader });
    expect(body).toBe("Permission denied: provided token lacks permission 'mesh:write'");
  });

  test("are not asked for where ACLs are off", async () => {
    const scene = new Scene({ acl: false });
    expect((await scene.put(defaults("web"), "", { as: "" })).body).toBe(TRUE);
    await answers(scene.get(PATH, { as: "unknown" }), 200);
  });

  test("a refused write changes nothing", async () => {
    const before = scene.service.dump();
    await scene.put(defaults("web"), "", { as: TOKENS.serviceReader });
    expect(scene.service.dump()).toEqual(before);
  });
});
