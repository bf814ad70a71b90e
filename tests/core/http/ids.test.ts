import { serviceErrorFrom } from "../../../provider/core/http/describe";
import { ServiceError, withoutIds } from "../../../provider/core/http/errors";
import { ActionableError } from "../../../provider/core/http/remedies";
import type { HttpResponse } from "../../../provider/core/http/request";
import { PartialError } from "../../../provider/core/state/errors";
import { NO_INPUTS } from "../../../provider/core/value/programInputs";
import { clientOf, closeClients, read, rejection, write } from "./clients";
import { closedPort, json, serve, stopServers } from "./servers";

afterEach(async () => {
  await closeClients();
  await stopServers();
});

const reading = { service: "scheduler", words: ({ text }: HttpResponse) => text };

/** Sends a request that fails; returns its error and the ID that all its attempts sent. */
async function failRequest(
  headers: Record<string, string>,
  count = 1,
): Promise<{ error: ServiceError; id: string }> {
  const server = await serve((response, _, at) =>
    response.writeHead(at < count ? 503 : 403, headers).end("no"),
  );
  const answer = await clientOf(server.address).send(read());
  const ids = new Set(server.requests.map((request) => request.headers["x-request-id"]));
  expect([ids.size, server.requests.length]).toEqual([1, count]);
  return { error: serviceErrorFrom(read(), answer, reading), id: [...ids].join() };
}

describe("ServiceError", () => {
  test("contains the ID of its request, and has the first 8 characters at the end of its message", async () => {
    const { error, id } = await failRequest({}, 3);
    expect(error.ids).toEqual({ own: id });
    expect(id).toMatch(/^[0-9a-f]{8}-/);
    expect(error.message.endsWith(` and the namespace. (request ${id.slice(0, 8)})`)).toBe(true);
  });

  test("also contains the request ID of the server", async () => {
    const { error, id } = await failRequest({ "x-request-id": "b2a5-77" });
    expect(error.ids).toEqual({ own: id, service: "b2a5-77" });
    expect(error.message).toContain(` (request ${id.slice(0, 8)}, server's ID b2a5-77)`);
  });

  test("ignores an invalid request ID of the server", async () => {
    for (const value of ["two words", "(x)", "x".repeat(200), '"', ""]) {
      const { error, id } = await failRequest({ "x-request-id": value });
      expect(error.ids).toEqual({ own: id });
    }
  });

  test("ignores a server that echoes the request's own ID", async () => {
    const server = await serve((response, { headers }) =>
      response.writeHead(403, { "x-request-id": String(headers["x-request-id"]) }).end("no"),
    );
    expect((await clientOf(server.address).send(read())).ids).toEqual({
      own: server.requests[0]?.headers["x-request-id"],
    });
  });

  test("ends with the request ID after a refused connection, an invalid response and a lost response", async () => {
    const unreachable = clientOf(`http://127.0.0.1:${await closedPort()}`, { maxRetries: 0 });
    const torn = await serve((response) => response.end("torn"));
    const lost = await serve((response) => response.destroy());
    for (const promise of [
      unreachable.send(write()),
      clientOf(torn.address).send(read()),
      clientOf(lost.address).send(write()),
    ]) {
      const error = await rejection(promise);
      if (!(error instanceof ServiceError)) throw error;
      expect(error.message.endsWith(` (request ${error.ids?.own.slice(0, 8)})`)).toBe(true);
    }
  });

  test("has the request ID at the end of its summary and of a PartialError that quotes it", async () => {
    const { error, id } = await failRequest({});
    const mark = ` (request ${id.slice(0, 8)})`;
    expect(error.summary.endsWith(mark)).toBe(true);
    expect(new PartialError("x", {}, NO_INPUTS, error).message.endsWith(mark)).toBe(true);
    expect(new PartialError("x", {}, NO_INPUTS, new Error("other")).message).not.toContain("(request");
    expect(new ActionableError("what", []).message).toBe("what");
  });

  test("has the same message for each request after withoutIds removes the IDs", async () => {
    const server = await serve((response) => json(response, 403, {}));
    const messages = [];
    for (const _ of [1, 2]) {
      const answer = await clientOf(server.address).send(read());
      messages.push(serviceErrorFrom(read(), answer, reading).message);
    }
    expect(new Set(messages).size).toBe(2);
    expect(new Set(messages.map(withoutIds)).size).toBe(1);
    const { error } = await failRequest({ "x-request-id": "b2a5-77" });
    expect(withoutIds(error.message)).not.toContain("request ");
  });
});
