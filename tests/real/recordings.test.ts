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

/** What each server calls the header of its token, and how the token stands in it. */
const TOKENS: Readonly<Record<Server["program"], (token: string) => Record<string, string>>> = {
  nomad: (token) => ({ "x-nomad-token": token }),
  bao: (token) => ({ "x-vault-token": token }),
  otfd: (token) => ({ authorization: `Bearer ${token}`, "content-type": "application/vnd.api+json" }),
  consul: (token) => ({ "x-consul-token": token }),
};

/** A token in everybody's form that nobody was given. */
const STRANGERS = "11111111-2222-3333-4444-555555555555";

const server = givenServer();

async function sent(server: Server, exchange: Exchange, kept: Map<string, string>): Promise<Answered> {
  const { until: member } = exchange;
  let { received, answered } = await sentNow(server, exchange, kept);
  if (member !== undefined)
    await until(`${exchange.about} has ${member}`, async () => {
      ({ received, answered } = await sentNow(server, exchange, kept));
      const json = jsonIn(received);
      return isObject(json) && member in json;
    });
  keepOf(exchange, jsonIn(received) ?? null, kept);
  return answered;
}

async function sentNow(
  server: Server,
  exchange: Exchange,
  kept: ReadonlyMap<string, string>,
): Promise<{ received: string; answered: Answered }> {
  const { method, path, body, text, as } = filledIn(exchange as unknown as Json, kept) as unknown as Exchange;
  const token = as === "stranger" ? STRANGERS : server.token;
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
  test.skip("the recorded exchanges are not asked again: no real server was started", () => undefined);
} else {
  /**
   * With QUARTERDECK_RECORD=1 the answers are written to `tests/recorded`; without it they are held to what is there.
   */
  test(`${server.version} answers as it is recorded`, async () => {
    await reset();
    const kept = new Map(Object.entries(server.more));
    const exchanges: Recording["exchanges"][number][] = [];
    for (const exchange of recordings[server.program])
      exchanges.push({ ...exchange, answered: await sent(server, exchange, kept) });
    const file = join(__dirname, "../recorded", `${server.program}.json`);
    if (process.env.QUARTERDECK_RECORD === "1" || !existsSync(file)) {
      writeFileSync(file, `${JSON.stringify({ server: server.version, exchanges }, null, 2)}\n`);
    }
    // Written by this test.
    const recorded = JSON.parse(readFileSync(file, "utf8")) as Recording;
    expect(exchanges).toEqual(recorded.exchanges);
  });
}
