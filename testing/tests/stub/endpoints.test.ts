import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { catalog } from "../../../provider/catalog";
import { allFunctions } from "../../../provider/functions";
import { SERVICES } from "../../stub/planes";
import { endpointOf, SPECIFICATION } from "../../stub/specification";
import { send } from "./in-process";

const ROOT = resolve(__dirname, "../../..");
const observed: readonly {
  service: string;
  method: string;
  path: string;
  users: string[];
  tests: string[];
}[] = JSON.parse(readFileSync(join(ROOT, "docs/reference/endpoints.json"), "utf8"));

const MOUNTS: Readonly<Record<string, string>> = {
  "{mq_mount}": "msgq",
  "{cloud_mount}": "cloud",
  "{ldap_mount}": "ldap",
};
const nameOf = ({ service, method, path }: { service: string; method: string; path: string }) =>
  `${service} ${method} ${path}`;

/** A path of an endpoint with something for every name. */
function example(path: string): string {
  return path
    .split("/")
    .map((part) => (part.startsWith(":") ? "x" : (MOUNTS[part] ?? part)))
    .join("/");
}

/** What a service says where it has no such endpoint. */
const NOWHERE =
  /no handler for route|unsupported (path|operation)|method not allowed|invalid url|route not found/i;

describe.each(SPECIFICATION.map((endpoint) => [nameOf(endpoint), endpoint] as const))("%s", (_, endpoint) => {
  test("is served by the stub", async () => {
    const { service, method, path } = endpoint;
    const stub = new SERVICES[service]({ switches: {} } as never);
    const answer = await send(stub, method, example(path), { body: {} });
    expect(answer.text).not.toMatch(NOWHERE);
    const served = stub.routes.some((route) => route.method === method);
    expect(served).toBe(true);
  });

  test("is found again by the requests that go to it", () => {
    const { service, method, path } = endpoint;
    expect(endpointOf(service, method, example(path), new URLSearchParams())).toBe(endpoint);
  });
});

describe("the page of endpoints", () => {
  test("has every endpoint of the specification, and no other: else run npm run endpoints", () => {
    expect(observed.map(nameOf)).toEqual(SPECIFICATION.map(nameOf));
  });

  test("names a test of the stub for each, and only tests and resources that exist", () => {
    const tokens = new Set([...Object.keys(catalog), ...allFunctions().map(({ token }) => token)]);
    for (const { users, tests, ...endpoint } of observed) {
      expect([nameOf(endpoint), tests.length > 0]).toEqual([nameOf(endpoint), true]);
      for (const file of tests) expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
      for (const user of users) expect([user, tokens.has(user)]).toEqual([user, true]);
    }
  });
});

test("every resource stands in the table, and what nothing uses is another way to the same end", () => {
  const users = new Set(observed.flatMap(({ users: own }) => own));
  expect(Object.keys(catalog).filter((token) => !users.has(token))).toEqual([]);
  const unused = observed
    .filter((row) => row.users.length === 0)
    .map(({ method, path }) => `${method} ${path}`);
  expect(unused).toEqual([
    "PATCH /api/v2/organizations/:organization_name/workspaces/:name",
    "POST /api/v2/organizations/:organization_name/workspaces/:name/actions/safe-delete",
    "DELETE /api/v2/organizations/:organization_name/workspaces/:name",
    "PATCH /api/v2/workspaces/:workspace_id/relationships/remote-state-consumers",
  ]);
});
