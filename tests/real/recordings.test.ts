import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Json } from "../../provider/core/value/json";
import {
  type Answered,
  bodyOf,
  type Exchange,
  filledIn,
  hasStatus,
  isSendable,
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
  const { until: member, untilStatus: status } = exchange;
  let { received, answered } = await sendOnce(server, exchange, variables);
  if (member !== undefined)
    await until(`${exchange.about} has ${member}`, async () => {
      ({ received, answered } = await sendOnce(server, exchange, variables));
      const json = jsonIn(received);
      return isObject(json) && member in json;
    });
  if (status !== undefined)
    await until(`${exchange.about} is ${status}`, async () => {
      ({ received, answered } = await sendOnce(server, exchange, variables));
      return hasStatus(exchange, received);
    });
  keepOf(exchange, jsonIn(received) ?? null, variables);
  return answered;
}

async function sendOnce(
  server: Server,
  exchange: Exchange,
  variables: ReadonlyMap<string, string>,
): Promise<{ received: string; answered: Answered }> {
  const filled = filledIn(exchange as unknown as Json, variables) as unknown as Exchange;
  const { method, path, as } = filled;
  const body = bodyOf(filled);
  const token = as === "stranger" ? UNKNOWN_TOKEN : server.token;
  const answer = await fetch(new URL(path, server.address), {
    method,
    headers: as === "nobody" ? {} : TOKENS[server.program](token),
    ...(body !== undefined && { body: typeof body === "string" ? body : new Uint8Array(body) }),
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
    const all = recordings[server.program];
    const sendable = all.filter((exchange) => isSendable(exchange, server.more));
    const isRecording = process.env.QUARTERDECK_RECORD === "1";
    if (isRecording && sendable.length < all.length)
      throw new Error(
        `not recorded: ${all.find((one) => !sendable.includes(one))?.about} needs more programs`,
      );
    for (const exchange of sendable)
      exchanges.push({ ...exchange, answered: await sendExchange(server, exchange, variables) });
    const file = join(__dirname, "../recorded", `${server.program}.json`);
    if (isRecording || !existsSync(file)) {
      writeFileSync(file, `${JSON.stringify({ server: server.version, exchanges }, null, 2)}\n`);
    }
    // This test wrote the file.
    const recorded = JSON.parse(readFileSync(file, "utf8")) as Recording;
    const expected = recorded.exchanges.filter((exchange) => isSendable(exchange, server.more));
    expect(exchanges).toEqual(expected.map(({ server: _, ...exchange }) => exchange));
  });
}
