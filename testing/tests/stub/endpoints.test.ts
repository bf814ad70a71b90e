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
  "{kv_mount}": "kv",
};
const nameOf = ({ service, method, path }: { service: string; method: string; path: string }) =>
  `${service} ${method} ${path}`;

/** The path of an endpoint with a value for every parameter. */
function example(path: string): string {
  return path
    .split("/")
    .map((part) => (part.startsWith(":") ? "x" : (MOUNTS[part] ?? part)))
    .join("/");
}

/** The message of a service for an unknown endpoint. */
const UNKNOWN_ENDPOINT =
  /no handler for route|unsupported (path|operation)|method not allowed|invalid url|route not found/i;

describe.each(SPECIFICATION.map((endpoint) => [nameOf(endpoint), endpoint] as const))("%s", (_, endpoint) => {
  test("is served by the stub", async () => {
    const { service, method, path } = endpoint;
    const stub = new SERVICES[service]({ switches: {} } as never);
    const answer = await send(stub, method, example(path), { body: {} });
    expect(answer.text).not.toMatch(UNKNOWN_ENDPOINT);
    const served = stub.routes.some((route) => route.method === method);
    expect(served).toBe(true);
  });

  test("is the endpoint that endpointOf finds for a request to its path", () => {
    const { service, method, path } = endpoint;
    expect(endpointOf(service, method, example(path), new URLSearchParams())).toBe(endpoint);
  });
});

describe("docs/reference/endpoints.json", () => {
  test("lists exactly the endpoints of the specification (if not, run `npm run endpoints`)", () => {
    expect(observed.map(nameOf)).toEqual(SPECIFICATION.map(nameOf));
  });

  test("names at least one stub test for each endpoint, and only existing tests and resources", () => {
    const tokens = new Set([...Object.keys(catalog), ...allFunctions().map(({ token }) => token)]);
    for (const { users, tests, ...endpoint } of observed) {
      expect([nameOf(endpoint), tests.length > 0]).toEqual([nameOf(endpoint), true]);
      for (const file of tests) expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
      for (const user of users) expect([user, tokens.has(user)]).toEqual([user, true]);
    }
  });
});

test("every resource uses an endpoint, and only the known alternative endpoints are unused", () => {
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
    "POST /api/v2/workspaces/:workspace_id/state-versions",
    "POST /api/v2/runs/:run_id/actions/discard",
    "PATCH /api/registry/private/v2/gpg-keys/:namespace/:key_id",
    "GET /api/registry/public/v1/providers/:namespace/:name/:version/download/:os/:arch",
  ]);
});
