import { callFunction } from "../../provider/core/functions/call";
import type { HttpAnswer } from "../../provider/core/http/request";
import { connect } from "../../provider/core/requests/connection";
import { parseJson } from "../../provider/core/value/json";
import { functionOf } from "../../provider/functions";

/** One function of each service, with what it must be given. */
const CALLS = {
  scheduler: ["scheduler:getJob", { jobId: "web" }],
  mesh: ["mesh:getConfigEntry", { kind: "service-router", name: "web" }],
  secrets: ["secrets:getLibraryStatus", { name: "web" }],
  workspaces: ["workspaces:getWorkspace", { organization: "acme", name: "web" }],
} as const;

type ServiceName = keyof typeof CALLS;

/** The error of a call to a service whose server answers this. */
async function errorOf(service: ServiceName, status: number, text: string, type = "text/plain") {
  const [token, args] = CALLS[service];
  const definition = functionOf(token);
  const answer: HttpAnswer = {
    status,
    headers: { "content-type": type },
    text,
    json: type === JSON_TYPE ? parseJson(text) : undefined,
    attempts: 1,
  };
  const settings = { address: "http://stub.invalid", token: "t", dialect: "real" };
  const connection = connect(
    definition.service,
    undefined,
    { get: () => JSON.stringify(settings), env: {} },
    {
      runtime: {
        now: () => 0,
        sleep: async () => undefined,
        after: () => () => undefined,
        random: () => 0,
      },
      userAgent: "test",
      warn: () => undefined,
      createClient: () => ({ close: async () => undefined, send: async () => answer }),
    },
  );
  const error: unknown = await callFunction(definition, args, { connection, log: () => undefined }).catch(
    (failure: unknown) => failure,
  );
  return (error as Error).message;
}

const ADVICE_ABOUT_OTHERS = /\blogs?\b|gateway answered|proxy|load balancer/i;

const JSON_TYPE = "application/json";

/** What the products answer, and a part of it that the error must quote. */
const EXPLAINED: readonly {
  readonly service: ServiceName;
  readonly status: number;
  readonly text: string;
  readonly quoted: string;
  readonly type?: string;
}[] = [
  {
    service: "scheduler",
    status: 500,
    text: '1 error occurred:\n\t* Job ID contains a space: "a b"\n\n',
    quoted: "Job ID contains a space",
  },
  {
    service: "scheduler",
    status: 500,
    text: 'job "web" is in nonexistent namespace "team"',
    quoted: "is in nonexistent namespace",
  },
  {
    service: "scheduler",
    status: 500,
    text: 'cannot update job from type "service" to "batch"',
    quoted: "cannot update job from type",
  },
  { service: "scheduler", status: 500, text: "No cluster leader", quoted: "No cluster leader" },
  {
    service: "scheduler",
    status: 500,
    text: "rpc error: node lost: leadership lost",
    quoted: "leadership lost",
  },
  {
    service: "scheduler",
    status: 501,
    text: "Nomad Enterprise only endpoint",
    quoted: "Nomad Enterprise only endpoint",
  },
  {
    service: "mesh",
    status: 500,
    text: 'discovery chain "web" uses a protocol "tcp" that does not permit advanced routing or splitting behavior',
    quoted: "does not permit advanced routing or splitting",
  },
  {
    service: "mesh",
    status: 500,
    text: "discovery chain contains circular references through: web",
    quoted: "circular references",
  },
  {
    service: "secrets",
    status: 500,
    text: '{"errors":["1 error occurred:\\n\\t* no password policy found with name \\"strong\\"\\n\\n"]}',
    quoted: "no password policy found",
    type: JSON_TYPE,
  },
  {
    service: "secrets",
    status: 503,
    text: '{"errors":["Vault is sealed"]}',
    quoted: "Vault is sealed",
    type: JSON_TYPE,
  },
  {
    service: "secrets",
    status: 502,
    text: '{"errors":["error talking to the upstream"]}',
    quoted: "talking to the upstream",
    type: JSON_TYPE,
  },
  {
    service: "workspaces",
    status: 500,
    text: '{"errors":[{"status":"500","title":"internal","detail":"the run queue is full"}]}',
    quoted: "the run queue is full",
    type: JSON_TYPE,
  },
];

test.each(EXPLAINED)(
  "an error that $service explains with a $status and $text is reported in its words only",
  async ({ service, status, text, quoted, type }) => {
    const message = await errorOf(service, status, text, type);
    expect(message).toContain(quoted);
    // The engine or the caller names what was asked; the message names the request once.
    expect(message).toMatch(/^GET \/\S+ answered \d+: /);
    expect(message).not.toMatch(ADVICE_ABOUT_OTHERS);
  },
);

/** What stands between answers, or a server that has nothing to say. */
const UNEXPLAINED: readonly (readonly [ServiceName, number, string])[] = (
  ["scheduler", "mesh", "secrets", "workspaces"] as const
).flatMap((service) => [
  [service, 500, ""],
  [service, 500, "Internal Server Error\n"],
  [service, 502, "Bad Gateway"],
  [service, 503, "no healthy upstream"],
  [service, 504, "upstream request timeout"],
]);

test.each(UNEXPLAINED)(
  "an error of %s with a %d and %j, which explains nothing, says where to look",
  async (...answer) => {
    expect(await errorOf(...answer)).toMatch(ADVICE_ABOUT_OTHERS);
  },
);
