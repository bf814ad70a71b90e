import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authority } from "./certificates";
import { clientOf, closeClients, read, rejection, write } from "./clients";
import { serveProxy } from "./proxies";
import { closedPort, json, serve, stopServers } from "./servers";

afterEach(async () => {
  await closeClients();
  await stopServers();
});

const ok = (response: Parameters<typeof json>[0]) => json(response, 200, {});
// This name does not resolve, so that only the proxy can connect to it.
const HOST = "plane.test";

describe("proxy", () => {
  test("from HTTP_PROXY forwards requests to http addresses", async () => {
    const proxy = await serveProxy();
    const { port } = await serve(ok);
    const client = clientOf(`http://${HOST}:${port}`, { env: { HTTP_PROXY: proxy.address } });
    expect((await client.send(read())).status).toBe(200);
    expect(proxy.asked).toEqual([`GET http://${HOST}:${port}/v1/job/web`]);
  });

  test("from HTTPS_PROXY tunnels to https addresses, with certificates still verified against caFile", async () => {
    const folder = mkdtempSync(join(tmpdir(), "proxy-"));
    try {
      const ca = authority();
      const caFile = join(folder, "ca.pem");
      writeFileSync(caFile, ca.cert);
      const proxy = await serveProxy();
      const { port } = await serve(ok, ca.issue(HOST));
      const env = { HTTPS_PROXY: proxy.address };
      expect((await clientOf(`https://${HOST}:${port}`, { env, tls: { caFile } }).send(read())).status).toBe(
        200,
      );
      expect(proxy.asked).toEqual([`CONNECT ${HOST}:${port}`]);
      const error = await rejection(clientOf(`https://${HOST}:${port}`, { env }).send(write()));
      expect(String(error)).toContain("signed by an untrusted CA");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("comes from the lower-case variable first, and its scheme defaults to http", async () => {
    const proxy = await serveProxy();
    const { port } = await serve(ok);
    const env = { http_proxy: proxy.address.replace("http://", ""), HTTP_PROXY: "http://127.0.0.1:1" };
    expect((await clientOf(`http://${HOST}:${port}`, { env }).send(read())).status).toBe(200);
  });

  test("from HTTP_PROXY is not used for https addresses", async () => {
    const proxy = await serveProxy();
    const error = await rejection(
      clientOf(`https://${HOST}`, { env: { HTTP_PROXY: proxy.address }, maxRetries: 0 }).send(read()),
    );
    expect(error).toMatchObject({ name: "Unreachable" });
    expect(proxy.asked).toEqual([]);
  });

  test.each([HOST, `.${HOST.split(".")[1]}`, "*", `other.test, ${HOST}`])(
    "is not used if NO_PROXY=%j matches the host",
    async (noProxy) => {
      const proxy = await serveProxy();
      const client = clientOf(`http://${HOST}:9`, {
        env: { HTTP_PROXY: proxy.address, NO_PROXY: noProxy },
        maxRetries: 0,
      });
      expect(await rejection(client.send(read()))).toMatchObject({ name: "Unreachable" });
      expect(proxy.asked).toEqual([]);
    },
  );

  test("is not used for loopback addresses", async () => {
    const proxy = await serveProxy();
    const server = await serve(ok);
    expect((await clientOf(server.address, { env: { HTTP_PROXY: proxy.address } }).send(read())).status).toBe(
      200,
    );
    expect(proxy.asked).toEqual([]);
  });

  test("comes from the given variables, not from the environment of the process", async () => {
    const proxy = await serveProxy();
    const before = process.env.HTTP_PROXY;
    process.env.HTTP_PROXY = proxy.address;
    try {
      await rejection(clientOf(`http://${HOST}:9`, { env: {}, maxRetries: 0 }).send(read()));
    } finally {
      if (before === undefined) delete process.env.HTTP_PROXY;
      else process.env.HTTP_PROXY = before;
    }
    expect(proxy.asked).toEqual([]);
  });

  test("receives its own credentials, which are not part of any error message", async () => {
    const proxy = await serveProxy(407);
    const env = { HTTP_PROXY: proxy.address.replace("//", "//me:pr0xy-pass@") };
    const error = await rejection(clientOf(`http://${HOST}:9`, { env }).send(write()));
    expect(proxy.authorizations).toEqual([`Basic ${Buffer.from("me:pr0xy-pass").toString("base64")}`]);
    expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied" });
    expect(String(error)).toContain("a proxy on the way requires credentials");
    expect(String(error)).not.toContain("pr0xy-pass");
  });

  test.each([407, 403, 502])(
    "that rejects a tunnel with status %d causes Unreachable with the outcome notApplied",
    async (status) => {
      const proxy = await serveProxy(status);
      const error = await rejection(
        clientOf(`https://${HOST}:9`, { env: { HTTPS_PROXY: proxy.address } }).send(write()),
      );
      expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied" });
      expect(String(error)).toMatch(/a proxy (on the way requires credentials|rejected the connection)/);
      expect(String(error)).toMatch(/HTTPS?_PROXY/);
    },
  );

  test.each(["http", "https"])(
    "that is unreachable is reported with its variable, for %s addresses",
    async (scheme) => {
      const address = `http://127.0.0.1:${await closedPort()}`;
      const client = clientOf(`${scheme}://${HOST}:9`, {
        env: { HTTP_PROXY: address, HTTPS_PROXY: address },
        maxRetries: 0,
      });
      const error = await rejection(client.send(write()));
      expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied" });
      expect(String(error)).toContain(
        `${scheme.toUpperCase()}_PROXY is set: also check the proxy, or set NO_PROXY.`,
      );
    },
  );

  test("with an invalid address is reported by its variable, without the address", async () => {
    const error = await rejection(
      clientOf(`http://${HOST}`, { env: { HTTP_PROXY: "gopher://me:pr0xy-pass@x" } }).send(read()),
    );
    expect(String(error)).toContain("the proxy address in HTTP_PROXY cannot be used");
    expect(String(error)).not.toContain("pr0xy-pass");
  });
});
