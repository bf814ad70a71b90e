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
import { ask, givenServer } from "./servers/server";

const server = givenServer();

const LOGIN = /\/login(\/|$)/;
const RENEWAL = /\/renew-self$/;

/** A way in: what an administrator sets up for it, and what a connection says then. */
interface Door {
  readonly name: string;
  /** Resolves to the connection's settings. */
  open(): Promise<Values>;
}

const headers = {
  bao: { "x-vault-token": server?.token ?? "" },
  nomad: { "x-nomad-token": server?.token ?? "" },
  consul: { "x-consul-token": server?.token ?? "" },
};

/** Sends as the administrator. */
function administer(
  program: keyof typeof headers,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  return ask(`${server?.address}/v1/${path}`, { method, headers: headers[program], body });
}

const audience = "quarterdeck";
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A signed token that is good for an hour. */
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

const baoDoors: readonly Door[] = [
  {
    name: "approle",
    async open() {
      await administer("bao", "POST", "sys/auth/approle", { type: "approle" });
      const role = { token_policies: ["roles"], token_ttl: "3s", token_max_ttl: "8s" };
      await administer("bao", "POST", "auth/approle/role/app", role);
      const { data: id } = (await administer("bao", "GET", "auth/approle/role/app/role-id")) as {
        data: { role_id: string };
      };
      const { data } = (await administer("bao", "POST", "auth/approle/role/app/secret-id", {})) as {
        data: { secret_id: string };
      };
      const parameters = { role_id: id.role_id, secret_id: data.secret_id };
      return { login: { path: "auth/approle/login", parameters } };
    },
  },
  {
    name: "userpass",
    async open() {
      await administer("bao", "POST", "sys/auth/people", { type: "userpass" });
      const user = { password: "correct horse", token_policies: ["roles"], token_ttl: "3s" };
      await administer("bao", "POST", "auth/people/users/alice", user);
      return { login: { path: "auth/people/login/alice", parameters: { password: "correct horse" } } };
    },
  },
  {
    name: "jwt",
    async open() {
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

const nomadDoors: readonly Door[] = [
  {
    name: "jwt",
    async open() {
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

const consulDoors: readonly Door[] = [
  {
    name: "jwt",
    async open() {
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

/** How a real program is tried: the object that is made, and how a token is looked at and ended by its administrator. */
interface Tried {
  readonly definition: AnyDefinition;
  readonly first: Values;
  readonly second: Values;
  readonly doors: readonly Door[];
  /** How much faster our clock runs than the server's: its tokens last a minute at least. */
  readonly pace: number;
  /** The request by which a token looks at itself. */
  readonly self: string;
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

const TRIED: Readonly<Record<"bao" | "nomad" | "consul", Tried>> = {
  bao: {
    definition: queueRole,
    first: { name: "by-login", tags: "monitoring" },
    second: { name: "by-login", tags: "management" },
    doors: baoDoors,
    pace: 1,
    self: "auth/token/lookup-self",
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
    doors: nomadDoors,
    pace: 20,
    self: "acl/token/self",
    revoke: async (token) => {
      const own = await ask(`${server?.address}/v1/acl/token/self`, { headers: { "x-nomad-token": token } });
      const { AccessorID } = own as { AccessorID: string };
      await administer("nomad", "DELETE", `acl/token/${AccessorID}`);
    },
  },
  consul: {
    definition: serviceDefaults,
    first: { name: "by-login", spec: { protocol: "http" } },
    second: { name: "by-login", spec: { protocol: "grpc" } },
    doors: consulDoors,
    pace: 20,
    self: "acl/token/self",
    revoke: async (token) => {
      const own = await ask(`${server?.address}/v1/acl/token/self`, { headers: { "x-consul-token": token } });
      const { AccessorID } = own as { AccessorID: string };
      await administer("consul", "DELETE", `acl/token/${AccessorID}`);
    },
  },
};

if (server === undefined || server.program === "otfd") {
  test.skip("no login is tried: the server has none", () => undefined);
} else {
  const { program, address, version } = server;
  const { definition, first, second, doors, pace, self, prepare, revoke } = TRIED[program];

  /** A world that logs in, by a clock of its own pace. */
  function worldOf(settings: Values) {
    const start = Date.now();
    const runtime = { ...systemRuntime, now: () => start + (Date.now() - start) * pace };
    const sent: HttpRequest[] = [];
    const deeds: (() => Promise<unknown>)[] = [];
    const reached = { settings: { address, dialect: "real" }, runtime };
    const stub = { name: definition.service.name, reached } as unknown as StubService;
    const world = new World(
      stub,
      definition,
      { ...(program === "bao" && { queueMount: "logins" }), ...settings },
      {
        runtime,
        beforeEnd: (deed) => deeds.push(deed),
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
    return { world, count, tokens, end: () => Promise.all(deeds.map((deed) => deed())) };
  }

  /** The status of a token's look at itself. */
  async function statusOf(token: string): Promise<number> {
    const [name = ""] = Object.keys(headers[program as keyof typeof headers]);
    const answer = await fetch(`${address}/v1/${self}`, { headers: { [name]: token } });
    return answer.status;
  }

  beforeAll(async () => {
    await prepare?.();
  });

  describe.each(doors.map((door) => [door.name, door] as const))(`${version}, %s`, (_, door) => {
    let settings: Values;

    beforeAll(async () => {
      settings = await door.open();
    });

    test("an object lives for longer than its tokens, with nothing to tell; the end leaves none of them", async () => {
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
        `${version} ${door.name}: ${count(LOGIN)} logins, ${count(RENEWAL)} renewals, ${tokens().length} tokens\n`,
      );
      await end();
      if (program === "nomad") return;
      for (const token of tokens()) expect(await statusOf(token)).toBe(403);
    }, 60_000);

    test("a token that is ended by somebody is made anew, and the command goes on", async () => {
      const { world, count, tokens, end } = worldOf(settings);
      const resource = new Resource(world, definition);
      await resource.create(first);
      const [token = ""] = tokens();
      const logins = count(LOGIN);
      await revoke(token);
      // A token that was just made is not asked for again: by our clock ten seconds go by.
      await delay(11_000 / pace);
      expect(await resource.refresh()).toBe(true);
      expect(count(LOGIN)).toBeGreaterThan(logins);
      await resource.delete();
      await end();
    }, 60_000);
  });

  test("a login by a key that is not known is refused, and that is told in the service's words, without what it said", async () => {
    const foreign = signedToken(keys().key);
    const own = {
      bao: { path: "auth/people/login/alice", parameters: { password: "a-wrong-password" } },
      nomad: { parameters: { AuthMethodName: "ci", LoginToken: foreign } },
      consul: { parameters: { AuthMethod: "ci", BearerToken: foreign } },
    }[program];
    const { world } = worldOf({ login: own });
    const error = await new Resource(world, definition).create(first).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/was not sent: its login, POST \/v1\/\S+, answered [45]\d\d/);
    for (const said of ["a-wrong", foreign, foreign.slice(-40)]) expect(String(error)).not.toContain(said);
    process.stderr.write(`${String(error)}\n`);
  });
}
