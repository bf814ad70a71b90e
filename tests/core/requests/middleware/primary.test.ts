import type { Client } from "../../../../provider/core/http/client";
import { serviceError } from "../../../../provider/core/http/errors";
import type { HttpRequest } from "../../../../provider/core/http/request";
import { Primary } from "../../../../provider/core/requests/middleware/primary";
import { mesh } from "../../../../provider/services/mesh/service";

const SELF = "/v1/agent/self";
const SOURCE = "/v1/acl/replication";
const label = { definition: "mesh:ServiceDefaults", step: "update" };
const read: HttpRequest = { label, method: "GET", path: "/v1/config/mesh/mesh", nature: "read" };

/** What an agent answers to a question. */
interface Answer {
  readonly status: number;
  readonly json?: object;
}

const told: Answer = { status: 200, json: { Config: { PrimaryDatacenter: "dc1" } } };
const refused: Answer = { status: 403 };
const unreached = "unreached";

/** A connection to an agent that answers each question as a test has it. */
function connected(
  answers: Readonly<Record<string, Answer | typeof unreached>>,
  { named, dialect = "real" }: { readonly named?: string; readonly dialect?: "neutral" | "real" } = {},
) {
  const [sent, asked, warned]: [HttpRequest[], HttpRequest[], string[]] = [[], [], []];
  const client: Pick<Client, "send"> = {
    async send(request) {
      const isQuestion = request.path === SELF || request.path === SOURCE;
      (isQuestion ? asked : sent).push(request);
      const { status, json = {} } = isQuestion ? answerTo(request, answers[request.path]) : { status: 200 };
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
  return { primary, sent, asked, warned, answers };
}

function answerTo({ method, path }: HttpRequest, answer: Answer | typeof unreached = refused): Answer {
  if (answer !== unreached) return answer;
  const [event, advice] = ["could not be reached", ""];
  throw serviceError("unreachable", { service: "mesh", method, path, event, advice, attempts: 1 });
}

const places = (requests: readonly HttpRequest[]) => requests.map(({ query }) => query?.dc);

test("a request goes to the primary datacenter, whichever it named, and the primary one is asked once", async () => {
  const { primary, sent, asked } = connected({ [SELF]: told });
  await Promise.all([primary.send(read), primary.send({ ...read, query: { dc: "dc2", ns: "team" } })]);
  await primary.send(read);
  expect(sent.map(({ query }) => query)).toEqual([{ dc: "dc1" }, { dc: "dc1", ns: "team" }, { dc: "dc1" }]);
  expect(asked.map(({ path }) => path)).toEqual([SELF]);
});

test("a request of a copy goes where it says, and nobody is asked", async () => {
  const { primary, sent, asked } = connected({ [SELF]: told });
  await primary.send({ ...read, isOfCopy: true, query: { dc: "dc2" } });
  expect([places(sent), asked]).toEqual([["dc2"], []]);
});

test("a primary datacenter that a setting names is not asked", async () => {
  const { primary, sent, asked } = connected({ [SELF]: told }, { named: "dc3" });
  await primary.send(read);
  expect([places(sent), asked]).toEqual([["dc3"], []]);
  expect(await primary.primary({ label })).toBe("dc3");
});

test("by the specification's names there is nobody to ask", async () => {
  const { primary, sent, asked } = connected({}, { dialect: "neutral" });
  await primary.send(read);
  expect([places(sent), asked]).toEqual([[undefined], []]);
});

test("a token that may not read the agent is told by what its datacenter copies", async () => {
  const source: Answer = { status: 200, json: { SourceDatacenter: "dc1" } };
  const { primary, sent, warned } = connected({ [SELF]: refused, [SOURCE]: source });
  await primary.send(read);
  expect([places(sent), warned]).toEqual([["dc1"], []]);
});

test("an agent that copies from nowhere is in the primary datacenter itself, whichever a request named", async () => {
  const { primary, sent, asked, warned } = connected({
    [SELF]: refused,
    [SOURCE]: { status: 200, json: { Enabled: false, SourceDatacenter: "" } },
  });
  await primary.send({ ...read, query: { dc: "dc2" } });
  await primary.send(read);
  expect(places(sent)).toEqual([undefined, undefined]);
  expect(asked.map(({ path }) => path)).toEqual([SELF, SOURCE]);
  expect(warned).toEqual([]);
});

test.each<[string, Answer]>([
  ["has not begun to copy", { status: 200, json: { Enabled: true, SourceDatacenter: "" } }],
  ["has no such endpoint", { status: 404 }],
])("where the agent %s, requests go where they say, and it is told once what to set", async (_, source) => {
  const { primary, sent, asked, warned } = connected({ [SELF]: refused, [SOURCE]: source });
  await primary.send({ ...read, query: { dc: "dc2" } });
  await primary.send(read);
  expect(places(sent)).toEqual(["dc2", undefined]);
  expect(asked.map(({ path }) => path)).toEqual([SELF, SOURCE]);
  expect(warned).toEqual([
    "mesh: the token may not ask which datacenter is the primary, in which objects are written. " +
      "Where it is another one than the server's own, set primaryDatacenter.",
  ]);
});

test("an agent that tells nothing, and refuses nothing, is no reason to warn", async () => {
  const { primary, warned } = connected({ [SELF]: { status: 404 }, [SOURCE]: { status: 401 } });
  await primary.send(read);
  expect(warned).toEqual([]);
});

test("an agent that could not be reached is asked again", async () => {
  const answers: Record<string, Answer | typeof unreached> = { [SELF]: unreached };
  const { primary, sent, asked } = connected(answers);
  await primary.send(read);
  answers[SELF] = told;
  await primary.send(read);
  expect(places(sent)).toEqual([undefined, "dc1"]);
  expect(asked).toHaveLength(2);
});

test("the question is a read with an end of its own, and keeps the secrets of who asks", async () => {
  const secrets = { hide: (text: string) => text } as unknown as NonNullable<HttpRequest["secrets"]>;
  const { primary, asked } = connected({ [SELF]: told });
  await primary.send({ ...read, secrets });
  expect(asked[0]).toMatchObject({ nature: "read", grace: 10_000, label });
  expect(asked[0]?.secrets).toBe(secrets);
});
