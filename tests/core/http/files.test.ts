import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HttpRequest } from "../../../provider/core/http/request";
import { digestOfFile, unchangedContent } from "../../../provider/core/value/fileDigest";
import { authority } from "./certificates";
import { clientOf, closeClients, read, write } from "./clients";
import { serve, stopServers } from "./servers";

const folder = mkdtempSync(join(tmpdir(), "quarterdeck-files-"));
const path = join(folder, "release.zip");
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  await closeClients();
  await stopServers();
});

const TOKEN = "t0ken-of-ours";
const SECRETS = { Authorization: `Bearer ${TOKEN}`, "X-Gateway": TOKEN };
const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

/** A request that uploads the file to a URL. */
async function upload(url: string, content: string): Promise<HttpRequest> {
  writeFileSync(path, content);
  const { sha256, size } = await digestOfFile(path);
  const { body: _, ...request } = write();
  return { ...request, method: "PUT", expect: "text", url, file: { path, sha256, size } };
}

describe("a request to a URL from a response", () => {
  test("uploads a file exactly there, with its length, and without any header of the connection", async () => {
    const other = await serve((response) => response.writeHead(200).end());
    const server = await serve((response) => response.end());
    const client = clientOf(server.address, { headers: SECRETS });
    const content = "x".repeat(200_000);
    const answer = await client.send(await upload(`${other.address}/v1/a%2Fb?sign=a%20b&x=1`, content));
    expect(answer.status).toBe(200);
    expect(server.requests).toEqual([]);
    const [received] = other.requests;
    expect(received).toMatchObject({ method: "PUT", url: "/v1/a%2Fb?sign=a%20b&x=1" });
    expect(sha256(received?.body ?? "")).toBe(sha256(content));
    expect(Object.keys(received?.headers ?? {}).sort()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
    ]);
    expect(JSON.stringify(received?.headers)).not.toContain(TOKEN);
  });

  test("does not present the client certificate, and trusts the connection's authority", async () => {
    const ca = authority();
    const { cert, key } = ca.issue("127.0.0.1");
    const own = ca.issue("our client");
    const files = { ca: ca.cert, cert: own.cert, key: own.key };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.pem`), text);
    const tls = {
      caFile: join(folder, "ca.pem"),
      clientCertFile: join(folder, "cert.pem"),
      clientKeyFile: join(folder, "key.pem"),
    };
    const server = await serve((response) => response.end(), {
      cert,
      key,
      ca: ca.cert,
      requestCert: true,
      rejectUnauthorized: false,
    });
    const client = clientOf(server.address, { tls });
    await client.send({ ...read(), expect: "text" });
    await client.send(await upload(`${server.address}/v1/object`, "content"));
    expect(server.requests.map(({ clientName }) => clientName)).toEqual(["our client", undefined]);
  });

  test("a file that changed since its digest was computed is never received completely", async () => {
    const other = await serve((response) => response.writeHead(200).end());
    const request = await upload(`${other.address}/v1/object`, "as the preview showed it");
    writeFileSync(path, "and changed since then!!");
    await expect(clientOf(other.address).send(request)).rejects.toMatchObject({ outcome: "unknown" });
    expect(other.requests).toEqual([]);
  });

  test.each([302, 307])("a redirect (%d) to another host is not followed", async (status) => {
    const third = await serve((response) => response.end());
    const other = await serve((response) =>
      response.writeHead(status, { location: `${third.address}/elsewhere` }).end(),
    );
    const answer = await clientOf(other.address).send(await upload(`${other.address}/v1/object`, "content"));
    expect(answer.status).toBe(status);
    expect(third.requests).toEqual([]);
  });

  test.each(["file:///etc/passwd", "ftp://x/y", "https://user:pass@x/y", "no URL"])(
    "%s is not sent",
    async (url) => {
      const client = clientOf("http://127.0.0.1:1");
      await expect(client.send({ ...read(), url, expect: "text" })).rejects.toThrow(
        "the server returned a URL that is not an http or https URL",
      );
    },
  );

  test("a download of any size is hashed and not kept, and an error response keeps its text", async () => {
    const content = randomBytes(3_000_000);
    const server = await serve((response, { url }) =>
      url === "/gone" ? response.writeHead(404).end("gone") : response.writeHead(200).end(content),
    );
    const client = clientOf(server.address, { headers: SECRETS, maxResponseBytes: 1000 });
    const request = { ...read(), expect: "digest" } as const;
    expect((await client.send({ ...request, url: `${server.address}/file` })).text).toBe(sha256(content));
    expect(await client.send({ ...request, url: `${server.address}/gone` })).toMatchObject({
      status: 404,
      text: "gone",
    });
    expect(JSON.stringify(server.requests)).not.toContain(TOKEN);
  });
});

describe("a local file", () => {
  test("has the digest and the size of its content", async () => {
    writeFileSync(path, "content");
    expect(await digestOfFile(path)).toEqual({ sha256: sha256("content"), size: 7 });
    writeFileSync(path, "");
    expect(await digestOfFile(path)).toEqual({ sha256: sha256(""), size: 0 });
  });

  test("is an error if it does not exist, or is no regular file", async () => {
    await expect(digestOfFile(join(folder, "none"))).rejects.toThrow("cannot be read (ENOENT)");
    await expect(digestOfFile(folder)).rejects.toThrow("is not a regular file");
  });

  test("its last part is withheld if it has changed", async () => {
    writeFileSync(path, randomBytes(200_000));
    let length = 0;
    const reading = async () => {
      for await (const chunk of unchangedContent(path, sha256("another"))) length += chunk.length;
    };
    await expect(reading()).rejects.toThrow("has changed");
    expect(length).toBeLessThan(200_000);
  });
});
