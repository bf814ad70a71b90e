import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redactor } from "../../../packages/redact";
import { describeFailure } from "../../../provider/core/http/describeFailure";
import { exchangeFailureOf } from "../../../provider/core/http/exchange";
import { BAD_FILES, badFile } from "../../badFiles";
import { authority } from "./certificates";
import { clientOf, closeClients, read, rejection, write } from "./clients";
import { json, serve, stopServers } from "./servers";

const ca = authority();
const otherCa = authority("someone else");
const host = ca.issue("127.0.0.1");
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tls-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  await closeClients();
  await stopServers();
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const ok = (response: Parameters<typeof json>[0]) => json(response, 200, {});

describe("TLS", () => {
  test("trusts the certificate authority in caFile", async () => {
    const server = await serve(ok, host);
    const client = clientOf(server.address, { tls: { caFile: file("ca.pem", ca.cert) } });
    expect((await client.send(read())).status).toBe(200);
  });

  test("rejects an unknown certificate authority with an error that recommends caFile", async () => {
    const server = await serve(ok, host);
    const error = await rejection(clientOf(server.address).send(write()));
    expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied", attempts: 1 });
    expect(String(error)).toMatch(/signed by an untrusted CA at https:.* Set caFile to the CA's file/);
    expect(server.requests).toEqual([]);
  });

  test("rejects a certificate of an authority that is not in caFile", async () => {
    const server = await serve(ok, host);
    const client = clientOf(server.address, { tls: { caFile: file("other.pem", otherCa.cert) } });
    expect(await rejection(client.send(read()))).toMatchObject({ name: "Unreachable" });
  });

  test("rejects a certificate for another host", async () => {
    const server = await serve(ok, ca.issue("elsewhere.test"));
    const error = await rejection(
      clientOf(server.address, { tls: { caFile: file("ca.pem", ca.cert) } }).send(read()),
    );
    expect(String(error)).toContain("the certificate is for another host");
  });

  test("presents the client certificate to the service, and does not connect to the other origin of a redirect", async () => {
    const asking = { ...host, ca: ca.cert, requestCert: true, rejectUnauthorized: false };
    const other = await serve(ok, asking);
    const server = await serve((response, { url }) => {
      if (url === "/away") response.writeHead(307, { location: `${other.address}/` }).end();
      else ok(response);
    }, asking);
    const own = ca.issue("us");
    const tls = {
      caFile: file("ca.pem", ca.cert),
      clientCertFile: file("client.pem", own.cert),
      clientKeyFile: file("client.key", own.key),
    };
    const redactor = new Redactor();
    const client = clientOf(server.address, { tls, redactor });
    await client.send(read());
    await client.send(read({ path: "/away" }));
    expect([...redactor.knownSecrets()]).toContain(own.key);
    expect(server.requests.map(({ clientName }) => clientName)).toEqual(["us", "us"]);
    expect(other.requests).toHaveLength(0);
  });

  test("handshake without a required client certificate sends no write, and the error names the settings", async () => {
    const server = await serve(ok, {
      ...host,
      ca: ca.cert,
      requestCert: true,
      rejectUnauthorized: true,
      maxVersion: "TLSv1.2",
    });
    const error = await rejection(
      clientOf(server.address, { tls: { caFile: file("ca.pem", ca.cert) } }).send(write()),
    );
    expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied" });
    expect(String(error)).toContain(
      "The server may require a client certificate. No client certificate is set: set clientCertFile and clientKeyFile.",
    );
    expect(server.requests).toEqual([]);
  });

  test("1.3 connection without a required client certificate fails with an error that names the settings", async () => {
    const server = await serve(ok, {
      ...host,
      ca: ca.cert,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: "TLSv1.3",
    });
    const tls = { caFile: file("ca.pem", ca.cert) };
    const error = await rejection(clientOf(server.address, { tls, maxRetries: 0 }).send(read()));
    expect(String(error)).toContain("no client certificate is set (clientCertFile, clientKeyFile)");
    const own = ca.issue("us");
    const files = { clientCertFile: file("own.pem", own.cert), clientKeyFile: file("own.key", own.key) };
    const client = clientOf(server.address, { tls: { ...tls, ...files } });
    expect((await client.send(read())).status).toBe(200);
  });

  test("1.3 alert certificate_required is reported as not sent, with the settings", () => {
    const alert = Object.assign(new Error("tlsv13 alert certificate required"), {
      code: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
    });
    const failure = exchangeFailureOf(alert, true);
    expect(failure.sent).toBe(false);
    const description = describeFailure(failure, {
      origin: "https://mesh.example.com",
      proxy: undefined,
      timeoutMs: 1000,
      maxResponseBytes: 1000,
      ownCertificate: false,
    });
    expect(`${description.event}. ${description.advice}`).toBe(
      "could not be sent: the server requires a client certificate at https://mesh.example.com " +
        "(ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED). No client certificate is set: set clientCertFile and clientKeyFile.",
    );
  });

  test.each([
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", false],
    ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", false],
    ["ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC", true],
    ["ECONNRESET", true],
  ])("1.3 error %s after the first bytes is reported with sent: %s", (code, sent) => {
    expect(exchangeFailureOf(Object.assign(new Error("alert"), { code }), true).sent).toBe(sent);
  });

  test("connection to a plain HTTP server is reported as a wrong scheme", async () => {
    const server = await serve(ok);
    const error = await rejection(clientOf(server.address.replace("http:", "https:")).send(write()));
    expect(error).toMatchObject({ name: "Unreachable" });
    expect(String(error)).toContain("the server does not use TLS");
  });
});

describe("invalid setting is named in the error, and nothing is sent", () => {
  test("a missing file", async () => {
    const server = await serve(ok, host);
    const error = await rejection(
      clientOf(server.address, { tls: { caFile: "/nowhere/ca.pem" } }).send(write()),
    );
    expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied", attempts: 1 });
    expect(String(error)).toContain('caFile "/nowhere/ca.pem" cannot be read (ENOENT)');
  });

  test.each(BAD_FILES)("%s", async (...bad) => {
    const path = badFile(folder, bad);
    const own = file("own.pem", ca.issue("us").cert);
    const server = await serve(ok, host);
    for (const tls of [{ caFile: path }, { clientCertFile: own, clientKeyFile: path }]) {
      const error = String(await rejection(clientOf(server.address, { tls }).send(read())));
      expect(error).toMatch(bad[2]);
      expect(error).toContain(JSON.stringify(path));
    }
  });

  test("a file that is not a PEM file", async () => {
    const server = await serve(ok, host);
    const caFile = file("text.pem", "hello");
    expect(String(await rejection(clientOf(server.address, { tls: { caFile } }).send(read())))).toContain(
      "is not a PEM file",
    );
  });

  test.each(["caFile", "clientCertFile"])("a %s with damaged PEM", async (setting) => {
    const server = await serve(ok, host);
    const damaged = file("damaged.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    const key = file("client.key", ca.issue("us").key);
    const tls = setting === "caFile" ? { caFile: damaged } : { clientCertFile: damaged, clientKeyFile: key };
    const message = String(await rejection(clientOf(server.address, { tls }).send(read())));
    expect(message).toContain(`${setting} (${damaged})`);
    expect(message).toContain("not a usable set of PEM files");
  });

  test("a client certificate without its key", async () => {
    const server = await serve(ok, host);
    const tls = { clientCertFile: file("client.pem", ca.issue("us").cert) };
    expect(String(await rejection(clientOf(server.address, { tls }).send(read())))).toContain(
      "must be set together",
    );
  });

  test("the next request succeeds after the file was corrected", async () => {
    const server = await serve(ok, host);
    const caFile = join(folder, "late.pem");
    const client = clientOf(server.address, { tls: { caFile } });
    expect(await rejection(client.send(read()))).toMatchObject({ name: "Unreachable" });
    writeFileSync(caFile, ca.cert);
    expect((await client.send(read())).status).toBe(200);
  });

  test.each([
    ["", "the address is empty"],
    ["localhost:4646", "must start with http:// or https://"],
    ["no address", "the address is not a URL"],
    ["ftp://host", "must start with http://"],
    ["http://host/?a=1", "has a query or a fragment"],
  ])("the address %j", async (address, problem) => {
    const error = await rejection(clientOf(address).send(write()));
    expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied" });
    expect(String(error)).toContain(problem);
  });

  test("a token with a line break, which the error does not quote", async () => {
    const server = await serve(ok);
    const error = await rejection(
      clientOf(server.address, { headers: { "X-Sched-Token": "abc\ndef" } }).send(write()),
    );
    expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied" });
    expect(String(error)).toContain("Check the token for line breaks");
    expect(String(error)).not.toMatch(/abc|def/);
  });
});
