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

const ours = authority();
const theirs = authority("somebody else");
const host = ours.issue("127.0.0.1");
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
  test("trusts the authority of caFile", async () => {
    const server = await serve(ok, host);
    const client = clientOf(server.address, { tls: { caFile: file("ca.pem", ours.cert) } });
    expect((await client.send(read())).status).toBe(200);
  });

  test("trusts nobody unknown, and says how to name the authority", async () => {
    const server = await serve(ok, host);
    const error = await rejection(clientOf(server.address).send(write()));
    expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied", attempts: 1 });
    expect(String(error)).toMatch(
      /signed by nobody that is trusted here at https:.* Name the authority's file in caFile/,
    );
    expect(server.requests).toEqual([]);
  });

  test("with a caFile trusts that authority only", async () => {
    const server = await serve(ok, host);
    const client = clientOf(server.address, { tls: { caFile: file("other.pem", theirs.cert) } });
    expect(await rejection(client.send(read()))).toMatchObject({ name: "Unreachable" });
  });

  test("refuses a certificate for another host", async () => {
    const server = await serve(ok, ours.issue("elsewhere.test"));
    const error = await rejection(
      clientOf(server.address, { tls: { caFile: file("ca.pem", ours.cert) } }).send(read()),
    );
    expect(String(error)).toContain("the certificate is for another host");
  });

  test("shows the client's certificate to the service, and to no other origin that it redirects to", async () => {
    const asking = { ...host, ca: ours.cert, requestCert: true, rejectUnauthorized: false };
    const other = await serve(ok, asking);
    const server = await serve((response, { url }) => {
      if (url === "/away") response.writeHead(307, { location: `${other.address}/` }).end();
      else ok(response);
    }, asking);
    const own = ours.issue("us");
    const tls = {
      caFile: file("ca.pem", ours.cert),
      clientCertFile: file("client.pem", own.cert),
      clientKeyFile: file("client.key", own.key),
    };
    const redactor = new Redactor();
    const client = clientOf(server.address, { tls, redactor });
    await client.send(read());
    await client.send(read({ path: "/away" }));
    expect([...redactor.knownSecrets()]).toContain(own.key);
    expect(server.requests.map(({ clientName }) => clientName)).toEqual(["us", "us"]);
    expect(other.requests.map(({ clientName }) => clientName)).toEqual([undefined]);
  });

  test("that ends for want of a client's certificate has sent no write", async () => {
    const server = await serve(ok, {
      ...host,
      ca: ours.cert,
      requestCert: true,
      rejectUnauthorized: true,
      maxVersion: "TLSv1.2",
    });
    const error = await rejection(
      clientOf(server.address, { tls: { caFile: file("ca.pem", ours.cert) } }).send(write()),
    );
    expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied" });
    expect(String(error)).toContain(
      "It may want a certificate of the client's. None is set: name its files in clientCertFile and clientKeyFile.",
    );
    expect(server.requests).toEqual([]);
  });

  test("1.3 that ends after the handshake for want of a client's certificate says that none is set", async () => {
    const server = await serve(ok, {
      ...host,
      ca: ours.cert,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: "TLSv1.3",
    });
    const tls = { caFile: file("ca.pem", ours.cert) };
    const error = await rejection(clientOf(server.address, { tls, maxRetries: 0 }).send(read()));
    expect(String(error)).toContain("none is set (clientCertFile, clientKeyFile)");
    const own = ours.issue("us");
    const files = { clientCertFile: file("own.pem", own.cert), clientKeyFile: file("own.key", own.key) };
    const client = clientOf(server.address, { tls: { ...tls, ...files } });
    expect((await client.send(read())).status).toBe(200);
  });

  test("1.3 whose server says that it requires a client's certificate says so, and that nothing was sent", () => {
    const alert = Object.assign(new Error("tlsv13 alert certificate required"), {
      code: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
    });
    const failure = exchangeFailureOf(alert, true);
    expect(failure.sent).toBe(false);
    const told = describeFailure(failure, {
      origin: "https://mesh.example.com",
      proxy: undefined,
      timeoutMs: 1000,
      maxResponseBytes: 1000,
      ownCertificate: false,
    });
    expect(`${told.event}. ${told.advice}`).toBe(
      "could not be sent: the service wants a certificate of the client's at https://mesh.example.com " +
        "(ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED). None is set: name its files in clientCertFile and clientKeyFile.",
    );
  });

  test.each([
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", false],
    ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", false],
    ["ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC", true],
    ["ECONNRESET", true],
  ])("1.3, which refuses certificates only after the first bytes, ends with %s: sent is %s", (code, sent) => {
    expect(exchangeFailureOf(Object.assign(new Error("alert"), { code }), true).sent).toBe(sent);
  });

  test("that is spoken to a plain http server is said to be the wrong scheme", async () => {
    const server = await serve(ok);
    const error = await rejection(clientOf(server.address.replace("http:", "https:")).send(write()));
    expect(error).toMatchObject({ name: "Unreachable" });
    expect(String(error)).toContain("no TLS is spoken");
  });
});

describe("a setting that cannot be used is named, and nothing is sent", () => {
  test("a file that is not there", async () => {
    const server = await serve(ok, host);
    const error = await rejection(
      clientOf(server.address, { tls: { caFile: "/nowhere/ca.pem" } }).send(write()),
    );
    expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied", attempts: 1 });
    expect(String(error)).toContain('caFile "/nowhere/ca.pem" cannot be read (ENOENT)');
  });

  test.each(BAD_FILES)("%s", async (...bad) => {
    const path = badFile(folder, bad);
    const own = file("own.pem", ours.issue("us").cert);
    const server = await serve(ok, host);
    for (const tls of [{ caFile: path }, { clientCertFile: own, clientKeyFile: path }]) {
      const error = String(await rejection(clientOf(server.address, { tls }).send(read())));
      expect(error).toMatch(bad[2]);
      expect(error).toContain(JSON.stringify(path));
    }
  });

  test("a file that is no PEM", async () => {
    const server = await serve(ok, host);
    const caFile = file("text.pem", "hello");
    expect(String(await rejection(clientOf(server.address, { tls: { caFile } }).send(read())))).toContain(
      "is not a PEM file",
    );
  });

  test.each(["caFile", "clientCertFile"])("a %s whose PEM is damaged", async (setting) => {
    const server = await serve(ok, host);
    const damaged = file("damaged.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    const key = file("client.key", ours.issue("us").key);
    const tls = setting === "caFile" ? { caFile: damaged } : { clientCertFile: damaged, clientKeyFile: key };
    const message = String(await rejection(clientOf(server.address, { tls }).send(read())));
    expect(message).toContain(`${setting} (${damaged})`);
    expect(message).toContain("not a usable set of PEM files");
  });

  test("a certificate without its key", async () => {
    const server = await serve(ok, host);
    const tls = { clientCertFile: file("client.pem", ours.issue("us").cert) };
    expect(String(await rejection(clientOf(server.address, { tls }).send(read())))).toContain(
      "belong together",
    );
  });

  test("and once the file is mended, the next request goes through", async () => {
    const server = await serve(ok, host);
    const caFile = join(folder, "late.pem");
    const client = clientOf(server.address, { tls: { caFile } });
    expect(await rejection(client.send(read()))).toMatchObject({ name: "Unreachable" });
    writeFileSync(caFile, ours.cert);
    expect((await client.send(read())).status).toBe(200);
  });

  test.each([
    ["", "the address is empty"],
    ["localhost:4646", "begins with neither http:// nor https://"],
    ["no address", "the address is no URL"],
    ["ftp://host", "begins with neither"],
    ["http://host/?a=1", "has a query or a fragment"],
  ])("an address such as %j", async (address, problem) => {
    const error = await rejection(clientOf(address).send(write()));
    expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied" });
    expect(String(error)).toContain(problem);
  });

  test("a token that no header can carry, which is not quoted", async () => {
    const server = await serve(ok);
    const error = await rejection(
      clientOf(server.address, { headers: { "X-Sched-Token": "abc\ndef" } }).send(write()),
    );
    expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied" });
    expect(String(error)).toContain("Check the token for line breaks");
    expect(String(error)).not.toMatch(/abc|def/);
  });
});
