import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "../../provider/core/http/client";
import { systemRuntime } from "../../provider/core/http/options";
import type { HttpRequest } from "../../provider/core/http/request";
import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import serviceDefaults from "../../provider/services/mesh/kinds/serviceDefaults";
import job from "../../provider/services/scheduler/job";
import queueRole from "../../provider/services/secrets/queueRole";
import type { StubService } from "../../testing/stub/service";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { givenServer, sendRequest } from "./servers/server";

const server = givenServer();

const LOGIN = /\/login(\/|$)/;
const RENEWAL = /\/renew-self$/;

/** A login method: the administrator's setup, and the connection's settings. */
interface LoginMethod {
  readonly name: string;
  /** Sets the method up. Resolves to the connection's settings. */
  setUp(): Promise<Values>;
}

const headers = {
  bao: { "x-vault-token": server?.token ?? "" },
  nomad: { "x-nomad-token": server?.token ?? "" },
  consul: { "x-consul-token": server?.token ?? "" },
};

/** Sends a request as the administrator. */
function administer(
  program: keyof typeof headers,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  return sendRequest(`${server?.address}/v1/${path}`, { method, headers: headers[program], body });
}

const audience = "quarterdeck";
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A signed token that is valid for an hour. */
function signedToken(key: KeyObject): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: "ci", sub: "pipeline", aud: [audience], iat: now, nbf: now - 10, exp: now + 3600 };
  const text = `${base64({ alg: "RS256", typ: "JWT" })}.${base64(claims)}`;
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}

function keys(): { readonly key: KeyObject; readonly pem: string } {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { key: privateKey, pem: publicKey.export({ type: "spki", format: "pem" }).toString() };
}

const BAO_POLICY = 'path "logins/*" { capabilities = ["create", "read", "update", "delete", "list"] }';

const baoMethods: readonly LoginMethod[] = [
  {
    name: "approle",
    async setUp() {
      await administer("bao", "POST", "sys/auth/apps", { type: "approle" });
      const role = { token_policies: ["roles"], token_ttl: "3s", token_max_ttl: "8s" };
      await administer("bao", "POST", "auth/apps/role/app", role);
      const { data: id } = (await administer("bao", "GET", "auth/apps/role/app/role-id")) as {
        data: { role_id: string };
      };
      const { data } = (await administer("bao", "POST", "auth/apps/role/app/secret-id", {})) as {
        data: { secret_id: string };
      };
      const parameters = { role_id: id.role_id, secret_id: data.secret_id };
      return { login: { path: "auth/apps/login", parameters } };
    },
  },
  {
    name: "userpass",
    async setUp() {
      await administer("bao", "POST", "sys/auth/people", { type: "userpass" });
      const user = { password: "correct horse", token_policies: ["roles"], token_ttl: "3s" };
      await administer("bao", "POST", "auth/people/users/alice", user);
      return { login: { path: "auth/people/login/alice", parameters: { password: "correct horse" } } };
    },
  },
  {
    name: "jwt",
    async setUp() {
      const { key, pem } = keys();
      await administer("bao", "POST", "sys/auth/jwt", { type: "jwt" });
      await administer("bao", "POST", "auth/jwt/config", { jwt_validation_pubkeys: [pem] });
      const role = { role_type: "jwt", user_claim: "sub", bound_audiences: [audience] };
      await administer("bao", "POST", "auth/jwt/role/ci", {
        ...role,
        token_policies: ["roles"],
        token_ttl: "3s",
      });
      return { login: { path: "auth/jwt/login", parameters: { role: "ci", jwt: signedToken(key) } } };
    },
  },
];

const nomadMethods: readonly LoginMethod[] = [
  {
    name: "jwt",
    async setUp() {
      const { key, pem } = keys();
      await administer("nomad", "POST", "acl/auth-method/ci", {
        Name: "ci",
        Type: "JWT",
        TokenLocality: "local",
        MaxTokenTTL: "1m0s",
        Config: { JWTValidationPubKeys: [pem], BoundAudiences: [audience], SigningAlgs: ["RS256"] },
      });
      await administer("nomad", "POST", "acl/binding-rule", { AuthMethod: "ci", BindType: "management" });
      return { login: { parameters: { AuthMethodName: "ci", LoginToken: signedToken(key) } } };
    },
  },
];

const consulMethods: readonly LoginMethod[] = [
  {
    name: "jwt",
    async setUp() {
      const { key, pem } = keys();
      await administer("consul", "PUT", "acl/policy", {
        Name: "of-ci",
        Rules: 'service_prefix "" { policy = "write" }',
      });
      await administer("consul", "PUT", "acl/auth-method", {
        Name: "ci",
        Type: "jwt",
        MaxTokenTTL: "60s",
        Config: { JWTValidationPubKeys: [pem], BoundAudiences: [audience], JWTSupportedAlgs: ["RS256"] },
      });
      await administer("consul", "PUT", "acl/binding-rule", {
        AuthMethod: "ci",
        BindType: "policy",
        BindName: "of-ci",
      });
      return { login: { parameters: { AuthMethod: "ci", BearerToken: signedToken(key) } } };
    },
  },
];

/** How the logins of a server are tested: the object that is written, and the administrator's requests for a token. */
interface LoginCase {
  readonly definition: AnyDefinition;
  readonly first: Values;
  readonly second: Values;
  readonly methods: readonly LoginMethod[];
  /** How much faster the test's clock runs than the server's. The server's tokens are valid for at least a minute. */
  readonly pace: number;
  /** The path where a token reads itself. */
  readonly selfPath: string;
  prepare?(): Promise<unknown>;
  revoke(token: string): Promise<unknown>;
}

const batch = (Priority: number): Values => ({
  purge: true,
  json: {
    ID: "by-login",
    Type: "batch",
    Priority,
    Datacenters: ["nowhere"],
    TaskGroups: [
      { Name: "main", Tasks: [{ Name: "main", Driver: "raw_exec", Config: { command: "true" } }] },
    ],
  },
});

const LOGIN_CASES: Readonly<Record<"bao" | "nomad" | "consul", LoginCase>> = {
  bao: {
    definition: queueRole,
    first: { name: "by-login", tags: "monitoring" },
    second: { name: "by-login", tags: "management" },
    methods: baoMethods,
    pace: 1,
    selfPath: "auth/token/lookup-self",
    prepare: async () => {
      await administer("bao", "POST", "sys/mounts/logins", { type: "rabbitmq" });
      await administer("bao", "POST", "sys/policies/acl/roles", { policy: BAO_POLICY });
    },
    revoke: (token) => administer("bao", "POST", "auth/token/revoke", { token }),
  },
  nomad: {
    definition: job,
    first: batch(50),
    second: batch(60),
    methods: nomadMethods,
    pace: 20,
    selfPath: "acl/token/self",
    revoke: async (token) => {
      const own = await sendRequest(`${server?.address}/v1/acl/token/self`, {
        headers: { "x-nomad-token": token },
      });
      const { AccessorID } = own as { AccessorID: string };
      await administer("nomad", "DELETE", `acl/token/${AccessorID}`);
    },
  },
  consul: {
    definition: serviceDefaults,
    first: { name: "by-login", spec: { protocol: "http" } },
    second: { name: "by-login", spec: { protocol: "grpc" } },
    methods: consulMethods,
    pace: 20,
    selfPath: "acl/token/self",
    revoke: async (token) => {
      const own = await sendRequest(`${server?.address}/v1/acl/token/self`, {
        headers: { "x-consul-token": token },
      });
      const { AccessorID } = own as { AccessorID: string };
      await administer("consul", "DELETE", `acl/token/${AccessorID}`);
    },
  },
};

if (server === undefined || server.program === "otfd") {
  test.skip("logins need an OpenBao, Nomad or Consul server", () => undefined);
} else {
  const { program, address, version } = server;
  const { definition, first, second, methods, pace, selfPath, prepare, revoke } = LOGIN_CASES[program];

  /** A world that logs in, with a clock that runs `pace` times as fast. */
  function worldOf(settings: Values) {
    const start = Date.now();
    const runtime = { ...systemRuntime, now: () => start + (Date.now() - start) * pace };
    const sent: HttpRequest[] = [];
    const cleanups: (() => Promise<unknown>)[] = [];
    const reached = { settings: { address, dialect: "real" }, runtime };
    const stub = { name: definition.service.name, reached } as unknown as StubService;
    const world = new World(
      stub,
      definition,
      { ...(program === "bao" && { queueMount: "logins" }), ...settings },
      {
        runtime,
        beforeEnd: (cleanup) => cleanups.push(cleanup),
        createClient: (options) => {
          const client = createClient(options);
          return {
            close: () => client.close(),
            send(request) {
              sent.push(request);
              return client.send(request);
            },
          };
        },
      },
    );
    const count = (path: RegExp) => sent.filter((request) => path.test(request.path)).length;
    const tokens = () => [
      ...new Set(
        sent.flatMap(({ headers: own = {} }) =>
          Object.entries(own).flatMap(([name, value]) => (/token$/i.test(name) ? [String(value)] : [])),
        ),
      ),
    ];
    return { world, count, tokens, end: () => Promise.all(cleanups.map((cleanup) => cleanup())) };
  }

  /** The HTTP status when the token reads itself. */
  async function selfReadStatus(token: string): Promise<number> {
    const [name = ""] = Object.keys(headers[program as keyof typeof headers]);
    const answer = await fetch(`${address}/v1/${selfPath}`, { headers: { [name]: token } });
    return answer.status;
  }

  beforeAll(async () => {
    await prepare?.();
  });

  describe.each(methods.map((method) => [method.name, method] as const))(
    `login by %s (${version})`,
    (_, method) => {
      let settings: Values;

      beforeAll(async () => {
        settings = await method.setUp();
      });

      test("renews or replaces expiring tokens without a message, and revokes them at the end", async () => {
        const { world, count, tokens, end } = worldOf(settings);
        const resource = new Resource(world, definition);
        await resource.create(first);
        for (let times = 0; times < 12; times++) {
          await delay(1000);
          await resource.up(times % 2 === 0 ? second : first);
          expect(await resource.refresh()).toBe(true);
        }
        await resource.delete();
        expect(world.logged).toEqual([]);
        expect(count(LOGIN) + count(RENEWAL)).toBeGreaterThan(4);
        process.stderr.write(
          `${version} ${method.name}: ${count(LOGIN)} logins, ${count(RENEWAL)} renewals, ${tokens().length} tokens\n`,
        );
        await end();
        if (program === "nomad") return;
        for (const token of tokens()) expect(await selfReadStatus(token)).toBe(403);
      }, 60_000);

      test("replaces a token that someone else revoked, and continues the command", async () => {
        const { world, count, tokens, end } = worldOf(settings);
        const resource = new Resource(world, definition);
        await resource.create(first);
        const [token = ""] = tokens();
        const logins = count(LOGIN);
        await revoke(token);
        // The client does not replace a new token for ten seconds of the test's clock.
        await delay(11_000 / pace);
        expect(await resource.refresh()).toBe(true);
        expect(count(LOGIN)).toBeGreaterThan(logins);
        await resource.delete();
        await end();
      }, 60_000);
    },
  );

  test("a rejected login is reported with the server's status and without its parameters", async () => {
    const foreign = signedToken(keys().key);
    const own = {
      bao: { path: "auth/people/login/alice", parameters: { password: "a-wrong-password" } },
      nomad: { parameters: { AuthMethodName: "ci", LoginToken: foreign } },
      consul: { parameters: { AuthMethod: "ci", BearerToken: foreign } },
    }[program];
    const { world } = worldOf({ login: own });
    const error = await new Resource(world, definition).create(first).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/was not sent: its login, POST \/v1\/\S+, returned [45]\d\d/);
    for (const secret of ["a-wrong", foreign, foreign.slice(-40)])
      expect(String(error)).not.toContain(secret);
    process.stderr.write(`${String(error)}\n`);
  });
}
