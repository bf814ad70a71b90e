import { serviceErrorFrom } from "../../../provider/core/http/describe";
import { ServiceError, withoutIds } from "../../../provider/core/http/errors";
import { ActionableError } from "../../../provider/core/http/remedies";
import type { HttpAnswer } from "../../../provider/core/http/request";
import { PartialError } from "../../../provider/core/state/errors";
import { NO_INPUTS } from "../../../provider/core/value/programInputs";
import { clientOf, closeClients, read, rejection, write } from "./clients";
import { closedPort, json, serve, stopServers } from "./servers";

afterEach(async () => {
  await closeClients();
  await stopServers();
});

const reading = { service: "scheduler", words: ({ text }: HttpAnswer) => text };

/** The error of a request that is answered so, and the id that all its tries carried. */
async function refused(
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

describe("an error of a service", () => {
  test("has the id of all tries of its request as data, and its beginning at the end of the message", async () => {
    const { error, id } = await refused({}, 3);
    expect(error.ids).toEqual({ own: id });
    expect(id).toMatch(/^[0-9a-f]{8}-/);
    expect(error.message.endsWith(` and the namespace. (request ${id.slice(0, 8)})`)).toBe(true);
  });

  test("has the service's own id beside it", async () => {
    const { error, id } = await refused({ "x-request-id": "b2a5-77" });
    expect(error.ids).toEqual({ own: id, service: "b2a5-77" });
    expect(error.message).toContain(` (request ${id.slice(0, 8)}, the service's own b2a5-77)`);
  });

  test("takes for the service's own none that is no id", async () => {
    for (const said of ["two words", "(x)", "x".repeat(200), '"', ""]) {
      const { error, id } = await refused({ "x-request-id": said });
      expect(error.ids).toEqual({ own: id });
    }
  });

  test("takes for the service's own none that only comes back", async () => {
    const server = await serve((response, { headers }) =>
      response.writeHead(403, { "x-request-id": String(headers["x-request-id"]) }).end("no"),
    );
    expect((await clientOf(server.address).send(read())).ids).toEqual({
      own: server.requests[0]?.headers["x-request-id"],
    });
  });

  test("has its id where nobody answered, and where the answer was none", async () => {
    const nobody = clientOf(`http://127.0.0.1:${await closedPort()}`, { maxRetries: 0 });
    const torn = await serve((response) => response.end("torn"));
    const lost = await serve((response) => response.destroy());
    for (const promise of [
      nobody.send(write()),
      clientOf(torn.address).send(read()),
      clientOf(lost.address).send(write()),
    ]) {
      const error = await rejection(promise);
      if (!(error instanceof ServiceError)) throw error;
      expect(error.message.endsWith(` (request ${error.ids?.own.slice(0, 8)})`)).toBe(true);
    }
  });

  test("keeps it at the end of what quotes it", async () => {
    const { error, id } = await refused({});
    const mark = ` (request ${id.slice(0, 8)})`;
    expect(error.summary.endsWith(mark)).toBe(true);
    expect(new PartialError("x", {}, NO_INPUTS, error).message.endsWith(mark)).toBe(true);
    expect(new PartialError("x", {}, NO_INPUTS, new Error("other")).message).not.toContain("(request");
    expect(new ActionableError("what", []).message).toBe("what");
  });

  test("is the same without it whenever the same goes wrong", async () => {
    const server = await serve((response) => json(response, 403, {}));
    const messages = [];
    for (const _ of [1, 2]) {
      const answer = await clientOf(server.address).send(read());
      messages.push(serviceErrorFrom(read(), answer, reading).message);
    }
    expect(new Set(messages).size).toBe(2);
    expect(new Set(messages.map(withoutIds)).size).toBe(1);
    const { error } = await refused({ "x-request-id": "b2a5-77" });
    expect(withoutIds(error.message)).not.toContain("request ");
  });
});
