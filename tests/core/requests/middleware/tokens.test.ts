import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "../../../../provider/core/http/client";
import { serviceError } from "../../../../provider/core/http/errors";
import type { HttpRequest, HttpResponse } from "../../../../provider/core/http/request";
import { Attempts } from "../../../../provider/core/http/request";
import { basedOnRead, NotSent } from "../../../../provider/core/http/retry";
import type { Values } from "../../../../provider/core/language/object";
import type { Service } from "../../../../provider/core/language/service";
import { connect } from "../../../../provider/core/requests/connection";
import type { Configuration } from "../../../../provider/core/requests/given";
import { formatJson, type Json, parseJson } from "../../../../provider/core/value/json";
import { mesh } from "../../../../provider/services/mesh/service";
import { scheduler } from "../../../../provider/services/scheduler/service";
import { secrets } from "../../../../provider/services/secrets/service";
import type { StubService } from "../../../../testing/stub/service";
import { MeshService } from "../../../../testing/stub/services/mesh/service";
import { SchedulerService } from "../../../../testing/stub/services/scheduler/service";
import { SecretsService } from "../../../../testing/stub/services/secrets/service";
import { send } from "../../../../testing/tests/stub/in-process";
import { BAD_FILES, badFile } from "../../../badFiles";
import { testRuntime } from "../../http/clients";

const label = { definition: "test", step: "read" };
const MINUTE = 60_000;

/** The options of a test connection. */
interface ConnectionOptions {
  readonly service?: Service;
  readonly stub: StubService;
  readonly settings: Values;
  readonly env?: Readonly<Record<string, string>>;
  /** Intercepts a request before it arrives. It can throw, or respond instead of the service. */
  readonly onWay?: (request: HttpRequest) => Pick<HttpResponse, "status" | "text"> | undefined;
}

/** A connection to a stub in this process. It records the requests, and the test sets its clock forward. */
function connected({ service = secrets, stub, settings, env = {}, onWay }: ConnectionOptions) {
  const time = testRuntime();
  let passed = 0;
  const runtime = {
    ...time,
    now: () => time.now() + passed,
    advance: (milliseconds: number) => {
      passed += milliseconds;
    },
  };
  const [sent, warned]: [HttpRequest[], string[]] = [[], []];
  const shutdownActions: (() => Promise<unknown>)[] = [];
  const configuration: Configuration = {
    get: (key) =>
      key === `quarterdeck:${service.name}`
        ? formatJson({ address: "https://stub.invalid", dialect: "real", ...settings })
        : undefined,
    env,
  };
  const client = (own: Readonly<Record<string, string>>): Client => ({
    close: async () => undefined,
    async send(request): Promise<HttpResponse> {
      sent.push(request);
      const instead = onWay?.(request);
      if (instead) return { ...instead, headers: {}, json: jsonIn(instead.text), attempts: 1 };
      const headers = Object.fromEntries(
        Object.entries({ ...own, ...request.headers }).map(([name, value]) => [
          name.toLowerCase(),
          String(value),
        ]),
      );
      const answered = await send(stub, request.method, request.path, {
        headers,
        now: runtime.now(),
        ...(request.body !== undefined && { body: formatJson(request.body) }),
      });
      const { status, text } = answered;
      return { status, headers: answered.headers, text, json: jsonIn(text), attempts: 1 };
    },
  });
  const connection = connect(service, undefined, configuration, {
    runtime,
    userAgent: "test",
    warn: (text) => warned.push(text),
    beforeEnd: (action) => shutdownActions.push(action),
    createClient: ({ headers }) => client(headers),
  });
  const paths = () => sent.map(({ path }) => path).filter((path) => path !== "/v1/sys/leader");
  const end = async () => {
    for (const action of shutdownActions) await action();
  };
  return { connection, runtime, sent, warned, paths, end };
}

function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const LOGIN = "/v1/auth/approle/login";
const RENEWAL = "/v1/auth/token/renew-self";
const REVOCATION = "/v1/auth/token/revoke-self";
const ROLE = "/v1/rabbitmq/roles/app";
const approle = { path: "auth/approle/login", parameters: { role_id: "app", secret_id: "sesame" } };
const read = { label, method: "GET", path: "/rabbitmq/roles/app", nature: "read" } as const;

/** A stub of Vault with an AppRole login. */
function vault(login: object = {}, seed: object = {}) {
  const stub = new SecretsService({
    switches: { dialect: "real" },
    seed: { tokens: { root: {} }, logins: [{ ...approle, seconds: 60, ...login }], ...seed },
  });
  return stub;
}

const asRoot = { headers: { "x-vault-token": "root" } };
const makeRole = (stub: StubService) =>
  send(stub, "POST", ROLE, { ...asRoot, body: formatJson({ tags: "monitoring" }) });

describe("login instead of a token", () => {
  test("is sent once for concurrent requests, which then contain its token", async () => {
    const stub = vault();
    await makeRole(stub);
    const { connection, sent, paths } = connected({ stub, settings: { login: approle } });
    const answers = await Promise.all([connection.send(read), connection.send(read)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(paths()).toEqual([LOGIN, ROLE, ROLE]);
    expect(sent.find(({ path }) => path === LOGIN)).toMatchObject({
      body: approle.parameters,
      nature: "read",
    });
    expect(sent.filter(({ path }) => path === ROLE).map(({ headers }) => headers)).toEqual([
      { "X-Vault-Token": "issued-0001" },
      { "X-Vault-Token": "issued-0001" },
    ]);
  });

  test("has its token renewed after two thirds of its lifetime, and not earlier", async () => {
    const { connection, runtime, paths } = connected({ stub: vault(), settings: { login: approle } });
    await connection.send(read);
    runtime.advance(40_000 - 1);
    await connection.send(read);
    expect(paths()).toEqual([LOGIN, ROLE, ROLE]);
    runtime.advance(1);
    await Promise.all([connection.send(read), connection.send(read)]);
    expect(paths().slice(3)).toEqual([RENEWAL, ROLE, ROLE]);
  });

  test("authorizes requests for 30 minutes by renewals of a 60-second token", async () => {
    const { connection, runtime, paths } = connected({ stub: vault(), settings: { login: approle } });
    for (let passed = 0; passed < 30 * MINUTE; passed += 5000) {
      expect((await connection.send(read)).status).toBe(404);
      runtime.advance(5000);
    }
    expect(paths().filter((path) => path === LOGIN)).toHaveLength(1);
    expect(paths().filter((path) => path === RENEWAL).length).toBeGreaterThan(30);
  });

  test("is repeated when its token reaches the maximum lifetime", async () => {
    const { connection, runtime, paths } = connected({
      stub: vault({ maximumSeconds: 100 }),
      settings: { login: approle },
    });
    for (let passed = 0; passed < 10 * MINUTE; passed += 10_000) {
      expect((await connection.send(read)).status).toBe(404);
      runtime.advance(10_000);
    }
    expect(paths().filter((path) => path === LOGIN).length).toBeGreaterThan(5);
  });

  test("is repeated if its token has expired", async () => {
    const { connection, runtime, paths } = connected({ stub: vault(), settings: { login: approle } });
    await connection.send(read);
    runtime.advance(2 * MINUTE);
    expect((await connection.send(read)).status).toBe(404);
    expect(paths()).toEqual([LOGIN, ROLE, RENEWAL, LOGIN, ROLE]);
  });

  /** A connection whose token was revoked after its first read. */
  async function revoked() {
    const stub = vault({ seconds: 3600 });
    await makeRole(stub);
    const { connection, runtime, paths } = connected({ stub, settings: { login: approle } });
    await connection.send(read);
    runtime.advance(MINUTE);
    await send(stub, "POST", REVOCATION, { headers: { "x-vault-token": "issued-0001" } });
    return { connection, paths };
  }

  test("is repeated once after its token was revoked, and concurrent requests are sent again", async () => {
    const { connection, paths } = await revoked();
    const answers = await Promise.all([connection.send(read), connection.send(read), connection.send(read)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(paths().filter((path) => path === LOGIN)).toHaveLength(2);
  });

  test("adds its token and a parameter from the environment to the connection's known secrets", async () => {
    const parameters = { role_id: "app", secret_id: { env: "SECRET_ID" } };
    const login = { ...approle, parameters };
    const { connection } = connected({ stub: vault(), settings: { login }, env: { SECRET_ID: "sesame" } });
    await connection.send(read);
    expect([...connection.redactor.knownSecrets()]).toEqual(["sesame", "issued-0001"]);
  });

  test("does not resend a write that is based on a read if its token was revoked", async () => {
    const { connection, paths } = await revoked();
    const write = { ...read, method: "POST", nature: "write", body: { tags: "management" } } as const;
    const basis = basedOnRead(new Attempts(0), Number.POSITIVE_INFINITY);
    await expect(connection.send({ ...write, ...basis })).rejects.toBeInstanceOf(NotSent);
    // One of the two requests is the read, the other is the rejected write.
    expect(paths().filter((path) => path === ROLE)).toHaveLength(2);
  });

  test("is repeated after a 403 only if its token was not issued recently", async () => {
    const { connection, runtime, paths } = connected({
      stub: vault({ token: { policies: ["none"] } }),
      settings: { login: approle },
    });
    expect((await connection.send(read)).status).toBe(403);
    expect((await connection.send(read)).status).toBe(403);
    expect(paths().filter((path) => path === LOGIN)).toHaveLength(1);
    runtime.advance(11_000);
    expect((await connection.send(read)).status).toBe(403);
    expect(paths().filter((path) => path === LOGIN)).toHaveLength(2);
  });

  test("that is rejected is reported with the server's message and without its parameters", async () => {
    const wrong = { ...approle, parameters: { role_id: "app", secret_id: "a-wrong-secret-id" } };
    const { connection } = connected({ stub: vault(), settings: { login: wrong } });
    const error = await connection.send(read).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "Unauthenticated", outcome: "notApplied", attempts: 1 });
    expect(String(error)).toContain("was not sent: its login, POST /v1/auth/approle/login, returned 400");
    expect(String(error)).toContain("invalid role or secret ID");
    expect(String(error)).toContain("Check the path and the parameters in quarterdeck:secrets.login");
    expect(String(error)).not.toContain("a-wrong-secret-id");
  });

  test("has its parameters masked in a rejection that quotes them", async () => {
    const quoting = ({ path }: HttpRequest) =>
      path === LOGIN ? { status: 400, text: '{"errors":["nobody knows sesame here"]}' } : undefined;
    const { connection } = connected({ stub: vault(), settings: { login: approle }, onWay: quoting });
    const error = await connection.send(read).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("[secret]");
    expect(String(error)).not.toContain("sesame");
  });

  test("that fails after its token was rejected causes a warning and is tried again", async () => {
    const stub = vault({ uses: 1, seconds: 3600 });
    const { connection, runtime, warned } = connected({ stub, settings: { login: approle } });
    await connection.send(read);
    await send(stub, "POST", REVOCATION, { headers: { "x-vault-token": "issued-0001" } });
    runtime.advance(MINUTE);
    expect((await connection.send(read)).status).toBe(403);
    expect(warned.join("\n")).toMatch(/rejected, and there is no other token to try: .*returned 400/s);
    stub.seed({ logins: [{ ...approle, seconds: 60 }] });
    expect((await connection.send(read)).status).toBe(404);
  });

  test("that loses its connection makes a write fail with the outcome notApplied", async () => {
    const onWay = ({ path, method }: HttpRequest) => {
      if (path !== LOGIN) return undefined;
      const facts = {
        service: "secrets",
        method,
        path,
        event: "lost its connection",
        advice: "",
        attempts: 5,
      };
      throw serviceError("connectionLost", facts);
    };
    const { connection } = connected({ stub: vault(), settings: { login: approle }, onWay });
    await expect(connection.send({ ...read, method: "POST", nature: "write" })).rejects.toMatchObject({
      outcome: "notApplied",
      name: "Unreachable",
      message: expect.stringContaining("was not sent: its login failed"),
    });
  });

  test("with missing parameters makes the request fail with the status of the login", async () => {
    const stub = vault();
    const { connection } = connected({
      stub,
      settings: { login: { ...approle, path: "auth/approle/login", parameters: {} } },
    });
    await expect(connection.send(read)).rejects.toThrow("returned 400");
  });
});

describe("login with multi-factor authentication", () => {
  test("is reported with its MFA type and the remedy", async () => {
    const auth = {
      client_token: "",
      mfa_requirement: {
        mfa_request_id: "d0c9eec7",
        mfa_constraints: { okta: { any: [{ type: "okta", id: "1" }] } },
      },
    };
    const answer = { status: 200, text: formatJson({ auth }) };
    const { connection } = connected({
      stub: vault(),
      settings: { login: approle },
      onWay: ({ path }) => (path === LOGIN ? answer : undefined),
    });
    await expect(connection.send(read)).rejects.toThrow(
      /requires multi-factor authentication \(okta\).*AppRole, JWT, Kubernetes or TLS certificates.*enforcement/s,
    );
  });
});

describe("token that expires soon after its login", () => {
  /** A service whose first response is so slow that the token expires before it arrives. */
  function slow(words: string) {
    let refusals = 0;
    const made = connected({
      stub: vault({ seconds: 6 }),
      settings: { login: approle },
      onWay: ({ path }) => {
        if (path !== ROLE || refusals > 0) return undefined;
        refusals++;
        made.runtime.advance(7_000);
        return { status: 403, text: formatJson({ errors: [words] }) };
      },
    });
    return made;
  }

  test("is replaced by a new login after a 403, and the request is sent again", async () => {
    const { connection, paths } = slow("permission denied");
    await connection.send(read);
    expect(paths()).toEqual([LOGIN, ROLE, LOGIN, ROLE]);
  });

  test("is reported as expired or revoked if the server returns 'invalid token'", async () => {
    const text = formatJson({ errors: ["2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n"] });
    const advice = secrets.advice?.(
      { status: 403, headers: {}, text, json: jsonIn(text), attempts: 1 },
      { label, address: {}, connection: connected({ stub: vault(), settings: {} }).connection },
    );
    expect(advice).toMatch(/expired or was revoked/);
  });
});

describe("credentials issued with the token of a login", () => {
  const handOut = (answer: object, login: object = approle) => {
    const made = connected({
      stub: vault({ seconds: 1200 }),
      settings: { login: login as Json },
      onWay: ({ path }) => (path === ROLE ? { status: 200, text: formatJson(answer as Json) } : undefined),
    });
    return made;
  };

  test.each<[string, object, object]>([
    ["with a lease", { lease_id: "rabbitmq/creds/app/1", data: {} }, approle],
    ["wrapped", { wrap_info: { token: "hvs.wrapped" } }, approle],
    [
      "of a login with keep: true",
      { lease_id: "rabbitmq/creds/app/1", data: {} },
      { ...approle, keep: true },
    ],
  ])("cause one warning with their lifetime, and the token is not revoked: %s", async (_, answer, login) => {
    const { connection, warned, end, paths } = handOut(answer, login);
    await connection.send(read);
    await connection.send(read);
    expect(warned).toEqual([expect.stringMatching(/expire with the token of the login.*20m/s)]);
    await end();
    expect(paths()).not.toContain(REVOCATION);
  });
});

describe("login parameters", () => {
  const folder = mkdtempSync(join(tmpdir(), "quarterdeck-tokens-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "secret-id");

  test("are read from the environment and from files at every login", async () => {
    const stub = vault({ seconds: 60, maximumSeconds: 60 });
    const parameters = { role_id: { env: "ROLE_ID" }, secret_id: { file } };
    writeFileSync(file, "sesame\n");
    const { connection, runtime, sent } = connected({
      stub,
      settings: { login: { ...approle, parameters } },
      env: { ROLE_ID: "app" },
    });
    await connection.send(read);
    stub.seed({ logins: [{ path: approle.path, parameters: { role_id: "app", secret_id: "another" } }] });
    writeFileSync(file, "another");
    runtime.advance(2 * MINUTE);
    await connection.send(read);
    const bodies = sent.filter(({ path }) => path === LOGIN).map(({ body }) => body);
    expect(bodies).toEqual([
      { role_id: "app", secret_id: "sesame" },
      { role_id: "app", secret_id: "another" },
    ]);
  });

  test.each<[string, Json, string]>([
    ["an unset variable", { env: "ROLE_ID" }, "the environment variable ROLE_ID is not set"],
    ["a missing file", { file: "/nowhere/at/all" }, 'the file "/nowhere/at/all" cannot be read (ENOENT)'],
  ])("from %s cause an error before anything is sent", async (_, role_id, why) => {
    const login = { ...approle, parameters: { ...approle.parameters, role_id } };
    const { connection, paths } = connected({ stub: vault(), settings: { login } });
    await expect(connection.send(read)).rejects.toThrow(
      new RegExp(
        `was not sent: ${why.replace(/[()]/g, "\\$&")}.*quarterdeck:secrets\\.login\\.parameters\\.role_id`,
      ),
    );
    expect(paths()).toEqual([]);
  });

  test("can be written as an object", async () => {
    const parameters = { role_id: { value: "app" }, secret_id: "sesame" };
    const { connection } = connected({ stub: vault(), settings: { login: { ...approle, parameters } } });
    expect((await connection.send(read)).status).toBe(404);
  });
});

describe("end of the process", () => {
  test("revokes all tokens of the login, once", async () => {
    const stub = vault({ seconds: 60, maximumSeconds: 60 });
    const { connection, runtime, paths, end } = connected({ stub, settings: { login: approle } });
    await connection.send(read);
    runtime.advance(50_000);
    await connection.send(read);
    await end();
    expect(paths().filter((path) => path === REVOCATION)).toHaveLength(2);
    for (const token of ["issued-0001", "issued-0002"])
      expect((await send(stub, "GET", ROLE, { headers: { "x-vault-token": token } })).status).toBe(403);
    await end();
    expect(paths().filter((path) => path === REVOCATION)).toHaveLength(2);
  });

  test("revokes no token if keep is true or if there was no login", async () => {
    const kept = connected({ stub: vault(), settings: { login: { ...approle, keep: true } } });
    await kept.connection.send(read);
    await kept.end();
    expect(kept.paths()).toEqual([LOGIN, ROLE]);
    const unused = connected({ stub: vault(), settings: { login: approle } });
    await unused.end();
    expect(unused.paths()).toEqual([]);
  });

  test("does not revoke a token that issued credentials, and prints one warning", async () => {
    const stub = vault();
    const broker = { connection_uri: "http://broker.invalid", username: "admin", password: "admin" };
    await send(stub, "POST", "/v1/rabbitmq/config/connection", { ...asRoot, body: formatJson(broker) });
    await makeRole(stub);
    const { connection, warned, paths, end } = connected({ stub, settings: { login: approle } });
    for (let times = 0; times < 2; times++)
      expect(
        (await connection.send({ ...read, path: "/rabbitmq/creds/app", nature: "single-use" })).text,
      ).toMatch(/"lease_id": ?"rabbitmq/);
    await end();
    expect(paths().filter((path) => path === REVOCATION)).toEqual([]);
    expect(warned).toEqual([
      "secrets: the new credentials expire with the token of the login, 1m after the token was " +
        "issued, unless the token is renewed. The token is therefore not revoked at the end of this process. If this is intended, set " +
        "quarterdeck:secrets.login.keep.",
    ]);
  });

  test("ignores a failed revocation", async () => {
    const onWay = ({ path, method }: HttpRequest) => {
      if (path !== REVOCATION) return undefined;
      const facts = { service: "secrets", method, path, event: "", advice: "", attempts: 1 };
      throw serviceError("unreachable", facts);
    };
    const { connection, end } = connected({ stub: vault(), settings: { login: approle }, onWay });
    await connection.send(read);
    await expect(end()).resolves.toBeUndefined();
  });
});

describe("login to Nomad and Consul", () => {
  const [method, bearer] = ["ci", "a-signed-token"];
  const cases: [string, Service, StubService, Values, string, string][] = [
    [
      "scheduler",
      scheduler,
      new SchedulerService({
        switches: { dialect: "real" },
        seed: {
          logins: [
            {
              parameters: { AuthMethodName: method, LoginToken: bearer },
              token: { management: true },
              seconds: 60,
            },
          ],
        },
      }),
      { AuthMethodName: method, LoginToken: bearer },
      "/jobs",
      "/v1/jobs",
    ],
    [
      "mesh",
      mesh,
      new MeshService({
        switches: { dialect: "real" },
        seed: {
          logins: [
            {
              parameters: { AuthMethod: method, BearerToken: bearer },
              token: { management: true },
              seconds: 60,
            },
          ],
        },
      }),
      { AuthMethod: method, BearerToken: bearer },
      "/config/service-defaults",
      "/v1/config/service-defaults",
    ],
  ];

  test.each(cases)(
    "%s: uses /v1/acl/login, again after two thirds of the lifetime, and logs out if that is possible",
    async (name, service, stub, parameters, path, fullPath) => {
      const { connection, runtime, paths, end } = connected({
        service,
        stub,
        settings: { login: { parameters } },
      });
      const list = { label, method: "GET", path, nature: "read" } as const;
      expect((await connection.send(list)).status).toBe(200);
      runtime.advance(40_000);
      expect((await connection.send(list)).status).toBe(200);
      await end();
      const own = paths().filter((one) => one !== "/v1/agent/self" && one !== "/v1/acl/replication");
      const login = "/v1/acl/login";
      const logouts = name === "mesh" ? ["/v1/acl/logout", "/v1/acl/logout"] : [];
      expect(own).toEqual([login, fullPath, login, fullPath, ...logouts]);
    },
  );
});

describe("tokenFile", () => {
  const folder = mkdtempSync(join(tmpdir(), "quarterdeck-tokens-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const tokenFile = join(folder, "token");

  test("is read once, and again if its token is rejected", async () => {
    const stub = vault({}, { tokens: { root: {}, first: {}, second: { policies: ["none"] } } });
    await makeRole(stub);
    writeFileSync(tokenFile, "gone\n");
    const { connection, sent } = connected({ stub, settings: { tokenFile } });
    expect((await connection.send(read)).status).toBe(403);
    writeFileSync(tokenFile, "first\n");
    expect((await connection.send(read)).status).toBe(200);
    writeFileSync(tokenFile, "second\n");
    expect((await connection.send(read)).status).toBe(200);
    const tokens = sent.filter(({ path }) => path === ROLE).map(({ headers }) => headers?.["X-Vault-Token"]);
    expect(tokens).toEqual(["gone", "gone", "first", "first"]);
  });

  test.each([
    ["is missing", undefined, "cannot be read (ENOENT)"],
    ["is empty", " \n", "is empty"],
  ])(
    "that %s causes an error with the setting, and is read again for the next request",
    async (_, text, why) => {
      rmSync(tokenFile, { force: true });
      if (text !== undefined) writeFileSync(tokenFile, text);
      const { connection } = connected({ stub: vault(), settings: { tokenFile } });
      const error = await connection.send(read).catch((thrown: unknown) => thrown);
      expect(String(error)).toContain(why);
      expect(String(error)).toContain("Correct quarterdeck:secrets.tokenFile");
      writeFileSync(tokenFile, "root");
      expect((await connection.send(read)).status).toBe(404);
    },
  );

  test.each(BAD_FILES)("cannot be %s, and neither can the file of a login parameter", async (...bad) => {
    const file = badFile(folder, bad);
    const login = { path: "auth/approle/login", parameters: { role_id: { file } } };
    for (const settings of [{ tokenFile: file }, { login }]) {
      const { connection, sent } = connected({ stub: vault(), settings });
      const error = await connection.send(read).catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(bad[2]);
      // The request for the active server of the cluster contains no token.
      expect(sent.filter(({ path }) => path !== "/v1/sys/leader")).toEqual([]);
    }
  });
});

describe("login configuration", () => {
  const problem = (settings: Values, service = secrets) => {
    try {
      connected({ service, stub: vault(), settings });
    } catch (error) {
      return String(error);
    }
    return undefined;
  };

  test.each<[string, Values, RegExp]>([
    ["a token and a login", { token: "a", login: approle }, /has token and login: set only one of them/],
    [
      "a token and a token file",
      { token: "a", tokenFile: "b" },
      /has token and tokenFile: set only one of them/,
    ],
    [
      "a login in the dialect neutral",
      { dialect: "neutral", login: approle },
      /login: .*requires the setting dialect: real/,
    ],
    ["a login without a path", { login: { parameters: {} } }, /login\.path: is missing/],
    ["a path that begins with a slash", { login: { path: "/auth/x/login" } }, /login\.path: must be a path/],
    ["an unknown member", { login: { ...approle, role: "x" } }, /role/],
    [
      "a parameter with two sources",
      { login: { ...approle, parameters: { role_id: { env: "A", file: "b" } } } },
      /login\.parameters\.role_id/,
    ],
  ])("with %s is rejected", (_, settings, message) => {
    expect(problem(settings)).toMatch(message);
  });

  test("can be JSON in an environment variable", async () => {
    const env = { QUARTERDECK_SECRETS_LOGIN: formatJson(approle) };
    const { connection } = connected({ stub: vault(), settings: {}, env });
    expect((await connection.send(read)).status).toBe(404);
  });

  test("has priority over tokens in environment variables", async () => {
    const stub = vault();
    const env = { QUARTERDECK_SECRETS_TOKEN: "unknown", VAULT_TOKEN: "unknown" };
    const { connection } = connected({ stub, settings: { login: approle }, env });
    expect((await connection.send(read)).status).toBe(404);
  });
});
