import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TestStack } from "../stack/stack";
import { countingProxy } from "./programs/countingProxy";
import { directory } from "./programs/directory";
import { network } from "./programs/network";
import { orders } from "./programs/orders";
import { queue } from "./programs/queue";
import { staff } from "./programs/staff";
import { reset } from "./reset";
import { isOnPath } from "./servers/onPath";
import { givenServer, type Program, type Server, sendRequest } from "./servers/server";

type Outputs = Readonly<Record<string, unknown>>;

/** A program that needs nothing but an empty server. */
interface FromEmpty {
  readonly name: string;
  readonly service: string;
  make(more: Server["more"]): object;
  /** A program or server that the use needs; unset if it needs none. */
  readonly needs?: string;
  /** Uses what the program created, as its users would. Rejects if that does not work. */
  use(outputs: Outputs, server: Server): Promise<void>;
  /** The paths whose answers must be the same before the first `up` and after the `destroy`. */
  readonly remains: readonly string[];
}

const server = givenServer();

const PROGRAMS: Readonly<Record<Program, readonly FromEmpty[]>> = {
  bao: [
    {
      name: "queue",
      service: "secrets",
      make: queue,
      needs: "broker",
      use: async ({ username, password }, { more }) => {
        const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
        const who = await sendRequest(`${more.broker}/api/whoami`, { headers: { authorization } });
        expect(who).toMatchObject({ name: username, tags: ["monitoring"] });
      },
      remains: ["sys/mounts", "sys/policies/acl?list=true"],
    },
    {
      name: "directory",
      service: "secrets",
      make: directory,
      needs: "directory",
      use: async ({ mount, role }, { address, token, more }) => {
        const found = await sendRequest(`${address}/v1/${mount}/static-cred/${role}`, {
          headers: { "x-vault-token": token },
        });
        const { data } = found as { data: { dn: string; password: string } };
        expect(data.password).toMatch(/^[a-z0-9]{20}$/);
        const login = ["-x", "-H", more.directory ?? "", "-D", data.dn, "-w", data.password];
        expect(execFileSync("ldapwhoami", login, { encoding: "utf8" })).toContain(data.dn);
      },
      remains: ["sys/mounts", "sys/policies/acl?list=true"],
    },
    {
      name: "staff",
      service: "secrets",
      make: staff,
      use: async ({ mount, username, methodId }, { address }) => {
        const answer = await sendRequest(`${address}/v1/auth/${mount}/login/${username}`, {
          method: "POST",
          body: { password: "thar she blows" },
        });
        const constraints = { staff: { any: [{ type: "okta", id: methodId }] } };
        expect(answer).toMatchObject({
          auth: { client_token: "", mfa_requirement: { mfa_constraints: constraints } },
        });
      },
      remains: ["sys/auth", "sys/mounts"],
    },
  ],
  nomad: [
    {
      name: "orders",
      service: "scheduler",
      make: orders,
      use: async ({ namespace, job, path }, { address, token }) => {
        const read = (path: string) =>
          fetch(`${address}/v1/${path}`, {
            headers: { "x-nomad-token": token },
            signal: AbortSignal.timeout(10_000),
          });
        const found = await read(`job/${job}/allocations?namespace=${namespace}`);
        const [{ ID }] = (await found.json()) as [{ ID: string }];
        const file = await read(`client/fs/cat/${ID}?path=server/local/greeting&namespace=${namespace}`);
        expect(await file.text()).toBe("ahoy");
        expect(readFileSync(join(String(path), "first"), "utf8")).toBe("ahoy");
      },
      remains: ["namespaces", "jobs?namespace=*", "vars?namespace=*", "volumes?type=host&namespace=*"],
    },
  ],
  otfd: [
    {
      name: "network",
      service: "workspaces",
      make: network,
      use: async ({ workspaceId, agentPoolId }, { address, token }) => {
        const headers = { authorization: `Bearer ${token}` };
        const read = (path: string) => sendRequest(`${address}/api/v2/workspaces/${path}`, { headers });
        expect(await read(String(workspaceId))).toMatchObject({
          data: {
            attributes: { name: "network", "execution-mode": "agent", "agent-pool-id": agentPoolId },
          },
        });
        const { data } = (await read(`${workspaceId}/vars`)) as { data: { attributes: object }[] };
        const found = data.map(({ attributes }) => attributes);
        expect(found).toHaveLength(3);
        expect(found).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ key: "region", value: "eu-west-1", category: "terraform" }),
            expect.objectContaining({ key: "zones", value: '["a", "b"]', hcl: true }),
            expect.objectContaining({ key: "CLOUD_TOKEN", category: "env", sensitive: true }),
          ]),
        );
        expect(JSON.stringify(data)).not.toContain("hush");
      },
      remains: ["agent-pools", "ssh-keys", "workspaces"].map((kind) => `organizations/acme/${kind}`),
    },
  ],
  consul: [],
};

const TOKEN_HEADERS: Readonly<Record<Program, (token: string) => Record<string, string>>> = {
  bao: (token) => ({ "x-vault-token": token }),
  nomad: (token) => ({ "x-nomad-token": token }),
  otfd: (token) => ({ authorization: `Bearer ${token}` }),
  consul: (token) => ({ "x-consul-token": token }),
};

async function remaining({ program, address, token }: Server, paths: readonly string[]): Promise<unknown> {
  const prefix = program === "otfd" ? "api/v2" : "v1";
  const headers = TOKEN_HEADERS[program](token);
  return Promise.all(
    paths.map(async (path) => {
      const found = (await sendRequest(`${address}/${prefix}/${path}`, { headers })) as { data?: unknown };
      return found.data ?? found;
    }),
  );
}

/** The lines of a program that are not empty. */
function linesOf(name: string): number {
  const text = readFileSync(join(__dirname, "programs", `${name}.ts`), "utf8");
  return text.split("\n").filter((line) => line.trim() !== "").length;
}

const programs =
  server === undefined
    ? []
    : PROGRAMS[server.program].filter(({ needs }) => needs === undefined || server.more[needs] !== undefined);

if (server === undefined || programs.length === 0) {
  test.skip("a program from an empty server to a working use needs its real servers", () => undefined);
} else {
  process.env.PULUMI_ENGINE ??= isOnPath("pulumi") ? "cli" : "embedded";

  test.each(programs)(
    "from an empty server to a working use and back: $name",
    async ({ name, service, make, use, remains }) => {
      await reset();
      const before = await remaining(server, remains);
      const proxy = await countingProxy(server.address);
      const organization = service === "workspaces" && { organization: "acme" };
      const settings = { address: proxy.address, token: server.token, dialect: "real", ...organization };
      const stack = await TestStack.open({ [service]: settings });
      try {
        const start = Date.now();
        const { failure, outputs } = await stack.up(async () => make(server.more));
        const took = Date.now() - start;
        expect(failure).toBeUndefined();
        const requests = proxy.count();
        await use(outputs, server);
        const again = await stack.preview();
        expect(Object.keys(again.changes)).toEqual(["same"]);
        const refreshed = await stack.refresh();
        expect(refreshed).toMatchObject({ failure: undefined });
        expect(Object.keys(refreshed.changes)).toEqual(["same"]);
        expect(await stack.destroy()).toMatchObject({ failure: undefined });
        expect(await remaining(server, remains)).toEqual(before);
        process.stderr.write(
          `${name}: ${linesOf(name)} lines, ${requests} requests, ${took} ms (${process.env.PULUMI_ENGINE})\n`,
        );
      } finally {
        await stack.close();
        await proxy.stop();
      }
    },
  );
}
