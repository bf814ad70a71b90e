import { handler } from "../../../provider";
import { type Stub, startStub } from "../../../testing/stub";

let stub: Stub;
beforeAll(async () => {
  stub = await startStub({
    dialect: "neutral",
    mesh: { seed: { tokens: { now: { management: true }, none: {} } } },
  });
});
afterAll(() => stub.stop());

const VARIABLE = "QUARTERDECK_MESH_TOKEN";
afterEach(() => {
  delete process.env[VARIABLE];
});

const entry = { name: "web", spec: { protocol: "http" }, __provider: "text" };

/** A dynamic provider host with a configured token; the host does not report whether a program or a state configured it. */
function host(token: string) {
  const made = handler("mesh:ServiceDefaults");
  // Every host has its own configuration, like every process.
  const settings = JSON.stringify({
    address: stub.addresses.mesh,
    dialect: "neutral",
    token,
    namespace: `of-${++hosts}`,
  });
  made.configure({ config: { get: (key) => (key === "quarterdeck:mesh" ? settings : undefined) } });
  return made;
}
let hosts = 0;

const failure = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  return error?.message ?? "it did not fail";
};

const ID = "/default/service-defaults/web";

test("the environment overrides the stored configuration, and the program's configuration overrides both", async () => {
  process.env[VARIABLE] = "now";
  expect(await failure(host("expired").read(ID, {}))).toContain("not found");
  const configured = host("expired");
  await configured.check({}, entry);
  expect(await failure(configured.create(entry))).toMatch(/40[13]/);
  expect(await failure(configured.read(ID, {}))).toMatch(/40[13]/);
});

test("the program that configured one resource type also counts for another type with that configuration", async () => {
  process.env[VARIABLE] = "now";
  const configured = host("expired");
  await configured.check({}, entry);
  const settings = JSON.stringify({
    address: stub.addresses.mesh,
    token: "expired",
    namespace: `of-${hosts}`,
  });
  const other = handler("mesh:ConfigEntry");
  other.configure({ config: { get: (key) => (key === "quarterdeck:mesh" ? settings : undefined) } });
  expect(await failure(other.read(ID, {}))).toMatch(/40[13]/);
});

const RENEWAL =
  "The last pulumi up stored this token in the state (quarterdeck:mesh.token), and the token may have expired. " +
  "Set a valid token in QUARTERDECK_MESH_TOKEN, which takes precedence over the state. Or run the program " +
  "to set the token: use pulumi up without --refresh, or add --run-program to a refresh or destroy.";

test("the error of a rejected stored token explains how to provide a new one", async () => {
  expect(await failure(host("expired").read(ID, {}))).toContain(RENEWAL);
});

test("the error of a rejected current token, or of another failure, does not mention the stored token", async () => {
  const configured = host("none");
  await configured.check({}, entry);
  expect(await failure(configured.create(entry))).not.toContain("stored this token in the state");
  process.env[VARIABLE] = "none";
  expect(await failure(host("expired").read(ID, {}))).not.toContain("stored this token in the state");
  delete process.env[VARIABLE];
  await stub.fault({
    kind: "status",
    match: { service: "mesh", method: "GET" },
    status: 400,
    times: "always",
    body: "it is raining",
  });
  const other = await failure(host("now").read(ID, {}));
  expect(other).toContain("it is raining");
  expect(other).not.toContain("stored this token in the state");
});
