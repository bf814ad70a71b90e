import type { Client } from "../../../../provider/core/http/client";
import { serviceError } from "../../../../provider/core/http/errors";
import type { HttpRequest } from "../../../../provider/core/http/request";
import { Primary } from "../../../../provider/core/requests/middleware/primary";
import { mesh } from "../../../../provider/services/mesh/service";

const SELF = "/v1/agent/self";
const SOURCE = "/v1/acl/replication";
const label = { definition: "mesh:ServiceDefaults", step: "update" };
const read: HttpRequest = { label, method: "GET", path: "/v1/config/mesh/mesh", nature: "read" };

/** The response of an agent to a lookup. */
interface Answer {
  readonly status: number;
  readonly json?: object;
}

const primaryIsDc1: Answer = { status: 200, json: { Config: { PrimaryDatacenter: "dc1" } } };
const forbidden: Answer = { status: 403 };
const unreachable = "unreached";

/** A connection to an agent with these responses to lookups. */
function connected(
  answers: Readonly<Record<string, Answer | typeof unreachable>>,
  { named, dialect = "real" }: { readonly named?: string; readonly dialect?: "neutral" | "real" } = {},
) {
  const [sent, lookups, warned]: [HttpRequest[], HttpRequest[], string[]] = [[], [], []];
  const client: Pick<Client, "send"> = {
    async send(request) {
      const isLookup = request.path === SELF || request.path === SOURCE;
      (isLookup ? lookups : sent).push(request);
      const { status, json = {} } = isLookup ? answerTo(request, answers[request.path]) : { status: 200 };
      return { status, headers: {}, text: "", json: { ...json }, attempts: 1 };
    },
  };
  const { replication } = mesh.dialects[dialect] ?? {};
  if (replication === undefined) throw new Error("the mesh has datacenters");
  const primary = new Primary(
    {
      replication,
      service: "mesh",
      prefix: "/v1",
      named,
      warn: (text) => warned.push(text),
    },
    (request) => client.send(request),
  );
  return { primary, sent, lookups, warned, answers };
}

function answerTo({ method, path }: HttpRequest, answer: Answer | typeof unreachable = forbidden): Answer {
  if (answer !== unreachable) return answer;
  const [event, advice] = ["could not be reached", ""];
  throw serviceError("unreachable", { service: "mesh", method, path, event, advice, attempts: 1 });
}

const places = (requests: readonly HttpRequest[]) => requests.map(({ query }) => query?.dc);

test("requests go to the primary datacenter, regardless of their own, after one lookup", async () => {
  const { primary, sent, lookups } = connected({ [SELF]: primaryIsDc1 });
  await Promise.all([primary.send(read), primary.send({ ...read, query: { dc: "dc2", ns: "team" } })]);
  await primary.send(read);
  expect(sent.map(({ query }) => query)).toEqual([{ dc: "dc1" }, { dc: "dc1", ns: "team" }, { dc: "dc1" }]);
  expect(lookups.map(({ path }) => path)).toEqual([SELF]);
});

test("a request with isOfCopy goes to its own datacenter without a lookup", async () => {
  const { primary, sent, lookups } = connected({ [SELF]: primaryIsDc1 });
  await primary.send({ ...read, isOfCopy: true, query: { dc: "dc2" } });
  expect([places(sent), lookups]).toEqual([["dc2"], []]);
});

test("a configured primary datacenter is used without a lookup", async () => {
  const { primary, sent, lookups } = connected({ [SELF]: primaryIsDc1 }, { named: "dc3" });
  await primary.send(read);
  expect([places(sent), lookups]).toEqual([["dc3"], []]);
  expect(await primary.primary({ label })).toBe("dc3");
});

test("the dialect neutral has no lookup", async () => {
  const { primary, sent, lookups } = connected({}, { dialect: "neutral" });
  await primary.send(read);
  expect([places(sent), lookups]).toEqual([[undefined], []]);
});

test("the replication source is the primary datacenter if the token may not read the agent", async () => {
  const source: Answer = { status: 200, json: { SourceDatacenter: "dc1" } };
  const { primary, sent, warned } = connected({ [SELF]: forbidden, [SOURCE]: source });
  await primary.send(read);
  expect([places(sent), warned]).toEqual([["dc1"], []]);
});

test("an agent without a replication source is in the primary datacenter, regardless of the request's own", async () => {
  const { primary, sent, lookups, warned } = connected({
    [SELF]: forbidden,
    [SOURCE]: { status: 200, json: { Enabled: false, SourceDatacenter: "" } },
  });
  await primary.send({ ...read, query: { dc: "dc2" } });
  await primary.send(read);
  expect(places(sent)).toEqual([undefined, undefined]);
  expect(lookups.map(({ path }) => path)).toEqual([SELF, SOURCE]);
  expect(warned).toEqual([]);
});

test.each<[string, Answer]>([
  ["has not started to replicate", { status: 200, json: { Enabled: true, SourceDatacenter: "" } }],
  ["has no replication endpoint", { status: 404 }],
])("requests go to their own datacenter, with one warning, if the agent %s", async (_, source) => {
  const { primary, sent, lookups, warned } = connected({ [SELF]: forbidden, [SOURCE]: source });
  await primary.send({ ...read, query: { dc: "dc2" } });
  await primary.send(read);
  expect(places(sent)).toEqual(["dc2", undefined]);
  expect(lookups.map(({ path }) => path)).toEqual([SELF, SOURCE]);
  expect(warned).toEqual([
    "mesh: the token lacks the permission to read which datacenter is the primary, where objects are written. " +
      "If the primary is not the datacenter of this server, set primaryDatacenter.",
  ]);
});

test("a lookup that fails with 404 and 401 causes no warning", async () => {
  const { primary, warned } = connected({ [SELF]: { status: 404 }, [SOURCE]: { status: 401 } });
  await primary.send(read);
  expect(warned).toEqual([]);
});

test("a lookup is repeated if the agent was unreachable", async () => {
  const answers: Record<string, Answer | typeof unreachable> = { [SELF]: unreachable };
  const { primary, sent, lookups } = connected(answers);
  await primary.send(read);
  answers[SELF] = primaryIsDc1;
  await primary.send(read);
  expect(places(sent)).toEqual([undefined, "dc1"]);
  expect(lookups).toHaveLength(2);
});

test("a lookup is a read with its own time limit and the secrets of the request", async () => {
  const secrets = { hide: (text: string) => text } as unknown as NonNullable<HttpRequest["secrets"]>;
  const { primary, lookups } = connected({ [SELF]: primaryIsDc1 });
  await primary.send({ ...read, secrets });
  expect(lookups[0]).toMatchObject({ nature: "read", grace: 10_000, label });
  expect(lookups[0]?.secrets).toBe(secrets);
});
