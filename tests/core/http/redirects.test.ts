import { serviceErrorFrom } from "../../../provider/core/http/describe";
import { redirectOf } from "../../../provider/core/http/urls";
import { clientOf, closeClients, read, write } from "./clients";
import { json, serve, stopServers } from "./servers";

afterEach(async () => {
  await closeClients();
  await stopServers();
});

const TOKEN = "t0ken-of-ours";
const SECRETS = { "X-Sched-Token": TOKEN, Authorization: `Bearer ${TOKEN}`, Cookie: "session=abcdef" };

/** A service that redirects requests to `/v1/…` and responds to all others. */
function redirecting(status: number, location: () => string) {
  return serve((response, { url }) => {
    if (url.startsWith("/v1/")) response.writeHead(status, { location: location() }).end();
    else json(response, 200, { moved: true });
  });
}

describe("redirect", () => {
  test.each([301, 302, 303, 307, 308])(
    "%d of a read to the same origin is followed with the token",
    async (status) => {
      const server = await redirecting(status, () => "/elsewhere?a=1");
      const answer = await clientOf(server.address, { headers: SECRETS }).send(read());
      expect(answer).toMatchObject({ status: 200, json: { moved: true }, attempts: 1 });
      expect(answer.url).toBe(`${server.address}/elsewhere`);
      expect(server.requests.map(({ url }) => url)).toEqual(["/v1/job/web", "/elsewhere?a=1"]);
      expect(server.requests[1]?.headers["x-sched-token"]).toBe(TOKEN);
    },
  );

  test.each([301, 302, 303, 307, 308])(
    "%d of a read to another origin is not followed, and the error contains its target",
    async (status) => {
      const other = await serve((response) => json(response, 200, {}));
      const server = await redirecting(status, () => `${other.address}/elsewhere`);
      const answer = await clientOf(server.address, { headers: SECRETS }).send(read());
      expect(answer.status).toBe(status);
      expect(other.requests).toEqual([]);
      const error = serviceErrorFrom(read(), answer, { service: "scheduler", words: ({ text }) => text });
      expect(error.message).toContain(
        `The server redirects to ${other.address}/elsewhere. Quarterdeck does not follow redirects: if that address belongs to the server, set the connection's address to it.`,
      );
    },
  );

  test.each([307, 308])("%d of a write to the same origin repeats the write unchanged", async (status) => {
    const server = await redirecting(status, () => "/leader");
    expect((await clientOf(server.address).send(write({ body: { a: 1 } }))).status).toBe(200);
    expect(server.requests[1]).toMatchObject({ method: "PUT", url: "/leader", body: '{"a":1}' });
  });

  test.each([301, 302, 303])(
    "%d of a write is not followed, and the error contains its target",
    async (status) => {
      const server = await redirecting(status, () => "/leader");
      const answer = await clientOf(server.address).send(write());
      expect(answer.status).toBe(status);
      expect(server.requests.length).toBe(1);
      const error = serviceErrorFrom(write(), answer, { service: "scheduler", words: ({ text }) => text });
      expect(error).toMatchObject({ name: "Refused", outcome: "notApplied" });
      expect(error.message).toContain(
        "The server redirects to /leader. Quarterdeck does not follow redirects",
      );
    },
  );

  test("of a write to another origin is not followed", async () => {
    const other = await serve((response) => json(response, 200, {}));
    const server = await redirecting(307, () => other.address);
    expect((await clientOf(server.address).send(write())).status).toBe(307);
    expect(other.requests).toEqual([]);
  });

  test("of a read with a body to another origin is not followed", async () => {
    const other = await serve((response) => json(response, 200, {}));
    const server = await redirecting(307, () => other.address);
    const parse = read({ method: "POST", path: "/v1/jobs/parse", body: { JobHCL: "password" } });
    expect((await clientOf(server.address).send(parse)).status).toBe(307);
    expect(other.requests).toEqual([]);
  });

  test("in a loop is followed at most five times", async () => {
    const server = await redirecting(302, () => "/v1/again");
    expect((await clientOf(server.address).send(read())).status).toBe(302);
    expect(server.requests.length).toBe(6);
  });

  test.each(["file:///etc/passwd", "javascript:alert(1)", "http://"])(
    "to %j is not followed",
    async (location) => {
      const server = await redirecting(302, () => location);
      expect((await clientOf(server.address).send(read())).status).toBe(302);
    },
  );

  test("303 changes a LIST to a GET, and 307 does not", () => {
    const from = { url: new URL("https://host"), target: "/v1/x", method: "LIST" } as const;
    const answer = (status: number) => ({ status, headers: { location: "/y" }, text: "" });
    const request = read({ method: "LIST" });
    expect(redirectOf(from, request, answer(303))?.method).toBe("GET");
    expect(redirectOf(from, request, answer(307))?.method).toBe("LIST");
  });

  test.each(["http://host/y", "https://host:8443/y", "//other/y"])(
    "from https://host to %s is not followed",
    (location) => {
      const from = { url: new URL("https://host"), target: "/v1/x", method: "GET" } as const;
      expect(redirectOf(from, read(), { status: 302, headers: { location } })).toBeUndefined();
    },
  );
});
