import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { createServer, get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";
import { authority } from "../core/http/certificates";
import { listen, stopServers } from "../core/http/servers";
import { isOnPath } from "../real/servers/onPath";
import { TOKENS } from "./console";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(240_000);

const { workspaces } = quarterdeck;
const PREFIX = "terraform-provider-app_1.0.0";
const PLATFORM = { os: "linux", arch: "amd64" } as const;

let folder: string;
let stack: TestStack;

const at = (name: string) => join(folder, name);
const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");

/** Signs with keys of its own, which the test creates. */
function gpg(...args: readonly string[]): Buffer {
  mkdirSync(at("gnupg"), { recursive: true, mode: 0o700 });
  return execFileSync(
    "gpg",
    ["--homedir", at("gnupg"), "--batch", "--quiet", "--pinentry-mode", "loopback", ...args],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
}

/** Builds and signs a release as `goreleaser` does, and returns the public key. */
function release(content: Buffer): string {
  writeFileSync(at(`${PREFIX}_linux_amd64.zip`), content);
  writeFileSync(at(`${PREFIX}_SHA256SUMS`), `${sha256(content)}  ${PREFIX}_linux_amd64.zip\n`);
  rmSync(at(`${PREFIX}_SHA256SUMS.sig`), { force: true });
  gpg("--output", at(`${PREFIX}_SHA256SUMS.sig`), "--detach-sign", at(`${PREFIX}_SHA256SUMS`));
  return gpg("--armor", "--export").toString();
}

/** The complete program: a private provider that Terraform can install. */
const program = (asciiArmor: string) => async () => {
  const app = new workspaces.RegistryProvider("app", { registryName: "private", name: "app" });
  const key = new workspaces.GpgKey("releases", { asciiArmor });
  const version = new workspaces.RegistryProviderVersion("app-1.0.0", {
    name: app.name,
    version: "1.0.0",
    keyId: pulumi.output(key.keyId).apply((id) => id ?? ""),
    protocols: ["5.0"],
    shasumsFile: at(`${PREFIX}_SHA256SUMS`),
    signatureFile: at(`${PREFIX}_SHA256SUMS.sig`),
  });
  new workspaces.RegistryProviderPlatform("app-1.0.0-linux", {
    name: app.name,
    version: version.version,
    ...PLATFORM,
    file: at(`${PREFIX}_linux_amd64.zip`),
  });
};

/** Serves the mock server over TLS, as Terraform requires. */
async function overTls(target: string): Promise<{ address: string; ca: string }> {
  const ca = authority();
  const server = createServer(ca.issue("127.0.0.1"), (message, response) => {
    const { method, url, headers } = message;
    const own = { ...headers, "x-forwarded-proto": "https" };
    const passed = httpRequest(`${target}${url}`, { method, headers: own }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    message.pipe(passed);
  });
  return { address: (await listen(server, "https")).address, ca: ca.cert };
}

/** A request as Terraform sends it: with the token for the registry's own paths, and without it for downloads. */
function download(url: string, ca: string, token?: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    get(url, { ca, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      if (response.statusCode === 200) resolve(Buffer.concat(chunks));
      else reject(new Error(`${url} returned ${response.statusCode}`));
    }).on("error", reject);
  });
}

/** Installs the provider by the provider registry protocol: discovery, versions, package, signature, checksum. */
async function install(registry: string, ca: string): Promise<Buffer> {
  const ask = async (path: string) =>
    JSON.parse((await download(new URL(path, registry).href, ca, TOKENS.workspaces)).toString());
  const { "providers.v1": providers } = await ask("/.well-known/terraform.json");
  const { versions } = await ask(`${providers}acme/app/versions`);
  expect(versions).toEqual([{ version: "1.0.0", protocols: ["5.0"], platforms: [PLATFORM] }]);
  const found = await ask(`${providers}acme/app/1.0.0/download/linux/amd64`);
  const [shasums, signature, zip] = await Promise.all(
    [found.shasums_url, found.shasums_signature_url, found.download_url].map((url) => download(url, ca)),
  );
  const [key] = found.signing_keys.gpg_public_keys;
  writeFileSync(at("key.asc"), key.ascii_armor);
  writeFileSync(at("downloaded"), shasums ?? "");
  writeFileSync(at("downloaded.sig"), signature ?? "");
  gpg("--no-default-keyring", "--keyring", at("trusted.kbx"), "--import", at("key.asc"));
  gpg(
    "--no-default-keyring",
    "--keyring",
    at("trusted.kbx"),
    "--verify",
    at("downloaded.sig"),
    at("downloaded"),
  );
  expect(shasums?.toString()).toContain(`${found.shasum}  ${found.filename}\n`);
  expect(sha256(zip ?? Buffer.alloc(0))).toBe(found.shasum);
  return zip ?? Buffer.alloc(0);
}

if (!isOnPath("gpg")) {
  test.skip("a private registry needs gpg to sign and verify a release", () => undefined);
} else {
  describe.each(["dynamic", "plugin"] as const)("on the %s bridge", (bridge) => {
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), "quarterdeck-registry-"));
      stack = await TestStack.open();
      await stack.setBridge(bridge);
      gpg("--passphrase", "", "--quick-generate-key", "releases@example.com", "rsa2048", "sign", "never");
    });
    afterEach(async () => {
      await stack.close();
      await stopServers();
      rmSync(folder, { recursive: true });
    });

    test("a provider that one up published can be installed over TLS, and a destroy leaves nothing", async () => {
      const content = Buffer.concat([Buffer.from("PK"), Buffer.alloc(3_000_000, 0xff)]);
      const armor = release(content);
      const before = await stack.objects();

      const up = await stack.up(program(armor));
      expect(up.failure).toBeUndefined();
      expect(up.changes).toMatchObject({ create: 5 });
      const uploads = (await stack.stub.requests()).filter(({ path }) => path.startsWith("/v1/object/"));
      expect(uploads.map(({ method, headers }) => [method, headers.authorization])).toEqual(
        Array(3).fill(["PUT", undefined]),
      );
      const { address, ca } = await overTls(stack.stub.addresses.workspaces);
      expect((await install(address, ca)).equals(content)).toBe(true);

      expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { same: 5 } });
      expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 5 } });
      expect(await stack.destroy()).toMatchObject({ failure: undefined, changes: { delete: 5 } });
      expect(await stack.objects()).toEqual(before);
    });

    test("a changed file with an unchanged path replaces its version and platform", async () => {
      expect(await stack.up(program(release(Buffer.from("one"))))).toMatchObject({ failure: undefined });
      const armor = release(Buffer.from("two"));
      const preview = await stack.preview(program(armor));
      expect(preview).toMatchObject({ failure: undefined, changes: { same: 3, replace: 2 } });
      for (const digest of ["shasumsSha256", "signatureSha256", "shasum", "uploadedSha256"])
        expect(preview.output).toContain(digest);
      expect(await stack.up()).toMatchObject({ failure: undefined, changes: { same: 3, replace: 2 } });
      const { address, ca } = await overTls(stack.stub.addresses.workspaces);
      expect((await install(address, ca)).toString()).toBe("two");
    });
  });
}
