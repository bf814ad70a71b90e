import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";

const calls: pulumi.runtime.MockCallArgs[] = [];

beforeEach(async () => {
  calls.length = 0;
  pulumi.runtime.setAllConfig({});
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
    call: (args) => {
      calls.push(args);
      return { spec: { Protocol: "http" }, name: args.inputs.name };
    },
  });
});

afterEach(() => pulumi.runtime.disconnect());

const asked = { kind: "service-defaults", name: "web" };
const CALL = { token: "quarterdeck:mesh:getConfigEntry", inputs: asked };

describe("a function under pulumi.runtime.setMocks, on the dynamic bridge, answers what the mock answers", () => {
  test("as a promise", async () => {
    expect(await quarterdeck.mesh.getConfigEntry(asked)).toMatchObject({ name: "web" });
    expect(calls).toMatchObject([CALL]);
  });

  test("as an output, with the outputs of mocked resources", async () => {
    const made = new quarterdeck.mesh.ServiceDefaults("web", { name: "web", spec: { protocol: "http" } });
    const answered = quarterdeck.mesh.getConfigEntryOutput({ kind: "service-defaults", name: made.name });
    const name = await new Promise((resolve) => answered.apply((entry) => resolve(Object(entry).name)));
    expect(name).toBe("web");
    expect(calls).toMatchObject([CALL]);
  });

  test("and credentials stay secret", async () => {
    const answered = quarterdeck.secrets.getDirectoryStaticCredentialsOutput({ roleName: "app" });
    // The SDK keeps the mark beside the value, where its types do not show it.
    expect(await Object(answered).isSecret).toBe(true);
  });

  test("and an iteration is refused, because a mock has one answer", async () => {
    const each = quarterdeck.workspaces.eachWorkspace({});
    await expect(each.next()).rejects.toThrow(/setMocks has one answer.*getWorkspaces/s);
  });
});
