import { callFunction } from "../../provider/core/functions/call";
import type { HttpResponse } from "../../provider/core/http/request";
import { connect } from "../../provider/core/requests/connection";
import { parseJson } from "../../provider/core/value/json";
import { functionOf } from "../../provider/functions";

/** One function of each service, with its required arguments. */
const CALLS = {
  scheduler: ["scheduler:getJob", { jobId: "web" }],
  mesh: ["mesh:getConfigEntry", { kind: "service-router", name: "web" }],
  secrets: ["secrets:getLibraryStatus", { name: "web" }],
  workspaces: ["workspaces:getWorkspace", { organization: "acme", name: "web" }],
} as const;

type ServiceName = keyof typeof CALLS;

/** The error message of a call to a service whose server returns this response. */
async function errorOf(service: ServiceName, status: number, text: string, type = "text/plain") {
  const [token, args] = CALLS[service];
  const definition = functionOf(token);
  const answer: HttpResponse = {
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

const ADVICE_TO_LOOK_ELSEWHERE = /\blogs?\b|gateway answered|proxy|load balancer/i;

const JSON_TYPE = "application/json";

/** Error responses of the products, and the part that the error message must quote. */
const EXPLAINED: readonly (readonly [ServiceName, status: number, quoted: string, text: string])[] = [
  ["scheduler", 500, "Job ID contains a space", '1 error occurred:\n\t* Job ID contains a space: "a b"\n\n'],
  ["scheduler", 500, "is in nonexistent namespace", 'job "web" is in nonexistent namespace "team"'],
  ["scheduler", 500, "cannot update job from type", 'cannot update job from type "service" to "batch"'],
  ["scheduler", 500, "No cluster leader", "No cluster leader"],
  ["scheduler", 500, "leadership lost", "rpc error: node lost: leadership lost"],
  ["scheduler", 501, "Nomad Enterprise only endpoint", "Nomad Enterprise only endpoint"],
  [
    "mesh",
    500,
    "does not permit advanced routing or splitting",
    'discovery chain "web" uses a protocol "tcp" that does not permit advanced routing or splitting behavior',
  ],
  ["mesh", 500, "circular references", "discovery chain contains circular references through: web"],
  [
    "secrets",
    500,
    "no password policy found",
    '{"errors":["1 error occurred:\\n\\t* no password policy found with name \\"strong\\"\\n\\n"]}',
  ],
  ["secrets", 503, "Vault is sealed", '{"errors":["Vault is sealed"]}'],
  ["secrets", 502, "talking to the upstream", '{"errors":["error talking to the upstream"]}'],
  [
    "workspaces",
    500,
    "the run queue is full",
    '{"errors":[{"status":"500","title":"internal","detail":"the run queue is full"}]}',
  ],
];

test.each(EXPLAINED)(
  "%s: the error for HTTP %d quotes %j and does not refer to logs or proxies",
  async (service, status, quoted, text) => {
    const message = await errorOf(service, status, text, text.startsWith("{") ? JSON_TYPE : "text/plain");
    expect(message).toContain(quoted);
    // The engine or the caller names the resource; the message names the request once.
    expect(message).toMatch(/^GET \/\S+ returned \d+: /);
    expect(message).not.toMatch(ADVICE_TO_LOOK_ELSEWHERE);
  },
);

/** Responses of a proxy, or of a server that gives no reason. */
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
  "%s: the error for HTTP %d with the body %j refers to logs or proxies",
  async (...answer) => {
    expect(await errorOf(...answer)).toMatch(ADVICE_TO_LOOK_ELSEWHERE);
  },
);
