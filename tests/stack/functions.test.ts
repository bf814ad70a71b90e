import * as quarterdeck from "../../sdk";
import { type Ask, consoleOn } from "./console";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

let stack: TestStack;
let ask: Ask;

beforeEach(async () => {
  stack = await TestStack.open();
  ask = consoleOn(stack.stub);
});
afterEach(() => stack.close());

const WEB = { kind: "service-defaults", name: "web" };

test("a function reads an existing object in preview and up, with the stack's configuration", async () => {
  await ask("mesh", "PUT", "/v1/config", { Kind: WEB.kind, Name: WEB.name, Protocol: "grpc" });
  const program = async () => {
    const { spec } = await quarterdeck.mesh.getConfigEntry(WEB);
    return { spec };
  };
  expect(await stack.preview(program)).toMatchObject({ failure: undefined });
  expect(await stack.up(program)).toMatchObject({ outputs: { spec: { Protocol: "grpc" } } });
});

test("a function that depends on a new resource reads it after its create, and the preview sends no request", async () => {
  const program = async () => {
    const web = new quarterdeck.mesh.ServiceDefaults("web", { name: "web", spec: { protocol: "http" } });
    const read = quarterdeck.mesh.getConfigEntryOutput(WEB, { dependsOn: web });
    return { index: read.modifyIndex, own: web.modifyIndex };
  };
  expect(await stack.preview(program)).toMatchObject({ failure: undefined, changes: { create: 2 } });
  expect(await stack.stub.requests()).toEqual([]);
  const { failure, outputs } = await stack.up(program);
  expect(failure).toBeUndefined();
  expect(outputs.index).toBe(outputs.own);
  expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
});

test("getQueueCredentials sends no request in preview or up, and its error names the resource QueueCredentials", async () => {
  await stack.stub.clearRequests();
  const program = async () => ({ made: quarterdeck.secrets.getQueueCredentialsOutput({ name: "app" }) });
  for (const run of [() => stack.preview(program), () => stack.up(program)]) {
    const { failure, output } = await run();
    expect(`${failure} ${output}`).toContain("Use the resource QueueCredentials");
  }
  expect(await stack.stub.requests()).toEqual([]);
});

test("QueueCredentials issues credentials once, only during up, and stores them encrypted", async () => {
  await ask("secrets", "POST", "/v1/rabbitmq/config/connection", {
    connection_uri: "http://broker",
    username: "admin",
    password: "hush",
  });
  await ask("secrets", "POST", "/v1/rabbitmq/roles/app", { tags: "monitoring" });
  await stack.stub.clearRequests();
  const program = async () => ({
    made: new quarterdeck.secrets.QueueCredentials("app", { name: "app" }).password,
  });
  expect(await stack.preview(program)).toMatchObject({ failure: undefined });
  expect(await stack.stub.requests()).toEqual([]);
  const { outputs } = await stack.up(program);
  const password = String(outputs.made);
  expect(password).toMatch(/\S/);
  expect(stack.state()).not.toContain(password);
  expect(stack.printed).not.toContain(password);
  expect((await stack.up(program)).outputs.made).toBe(password);
  const issues = (await stack.stub.requests()).filter(({ path }) => path.endsWith("/creds/app"));
  expect(issues).toHaveLength(1);
});

test("CloudRootRotation warns in the preview, rotates once, and rotates again only if its triggers change", async () => {
  await ask("secrets", "POST", "/v1/aws/config/root", { access_key: "AKIA", secret_key: "hush" });
  await stack.stub.clearRequests();
  const program = (trigger: string) => async () => {
    const rotation = new quarterdeck.secrets.CloudRootRotation("rotation", { triggers: [trigger] });
    return { accessKey: rotation.accessKey };
  };
  const previewed = await stack.preview(program("first"));
  expect(previewed.output).toContain("must be the only access key of its IAM user");
  expect(await stack.writes()).toEqual([]);
  const first = await stack.up(program("first"));
  expect(await stack.up(program("first"))).toMatchObject({ changes: { same: 2 } });
  expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 2 } });
  expect(await stack.writes()).toEqual(["secrets POST /v1/aws/config/rotate-root"]);
  const second = await stack.up(program("second"));
  expect(second).toMatchObject({ failure: undefined, changes: { replace: 1 } });
  expect(second.outputs.accessKey).not.toBe(first.outputs.accessKey);
  expect(await stack.destroy()).toMatchObject({ failure: undefined });
  expect(await stack.writes()).toHaveLength(2);
});
