import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Json } from "../../provider/core/value/json";
import {
  type Answered,
  type Exchange,
  filledIn,
  jsonIn,
  keepOf,
  type Recording,
  steady,
} from "../recorded/exchange";
import { recordings } from "./recordings";
import { reset } from "./reset";
import { until } from "./servers/cluster";
import { givenServer, type Server } from "./servers/server";

/** The header that contains each server's token. */
const TOKENS: Readonly<Record<Server["program"], (token: string) => Record<string, string>>> = {
  nomad: (token) => ({ "x-nomad-token": token }),
  bao: (token) => ({ "x-vault-token": token }),
  otfd: (token) => ({ authorization: `Bearer ${token}`, "content-type": "application/vnd.api+json" }),
  consul: (token) => ({ "x-consul-token": token }),
};

/** A well-formed token that does not exist. */
const UNKNOWN_TOKEN = "11111111-2222-3333-4444-555555555555";

const server = givenServer();

async function sendExchange(
  server: Server,
  exchange: Exchange,
  variables: Map<string, string>,
): Promise<Answered> {
  const { until: member } = exchange;
  let { received, answered } = await sendOnce(server, exchange, variables);
  if (member !== undefined)
    await until(`${exchange.about} has ${member}`, async () => {
      ({ received, answered } = await sendOnce(server, exchange, variables));
      const json = jsonIn(received);
      return isObject(json) && member in json;
    });
  keepOf(exchange, jsonIn(received) ?? null, variables);
  return answered;
}

async function sendOnce(
  server: Server,
  exchange: Exchange,
  variables: ReadonlyMap<string, string>,
): Promise<{ received: string; answered: Answered }> {
  const { method, path, body, text, as } = filledIn(
    exchange as unknown as Json,
    variables,
  ) as unknown as Exchange;
  const token = as === "stranger" ? UNKNOWN_TOKEN : server.token;
  const answer = await fetch(server.address + path, {
    method,
    headers: as === "nobody" ? {} : TOKENS[server.program](token),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(text !== undefined && { body: text }),
    signal: AbortSignal.timeout(30_000),
  }).catch((error: unknown) => {
    throw new Error(`${exchange.about}: ${String(error)}`, { cause: error });
  });
  const received = await answer.text();
  return {
    received,
    answered: steady(answer.status, answer.headers.get("content-type") ?? undefined, received),
  };
}

if (server === undefined) {
  test.skip("recorded responses are compared only with a real server", () => undefined);
} else {
  /**
   * With QUARTERDECK_RECORD=1 the responses are written to `tests/recorded`. Otherwise they are compared with the
   * recorded ones.
   */
  test(`${server.version} returns the recorded responses`, async () => {
    await reset();
    const variables = new Map(Object.entries(server.more));
    const exchanges: Recording["exchanges"][number][] = [];
    for (const exchange of recordings[server.program])
      exchanges.push({ ...exchange, answered: await sendExchange(server, exchange, variables) });
    const file = join(__dirname, "../recorded", `${server.program}.json`);
    if (process.env.QUARTERDECK_RECORD === "1" || !existsSync(file)) {
      writeFileSync(file, `${JSON.stringify({ server: server.version, exchanges }, null, 2)}\n`);
    }
    // This test wrote the file.
    const recorded = JSON.parse(readFileSync(file, "utf8")) as Recording;
    expect(exchanges).toEqual(recorded.exchanges);
  });
}
