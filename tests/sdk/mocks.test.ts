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

describe("function under pulumi.runtime.setMocks on the dynamic bridge", () => {
  test("returns the mocked result as a promise", async () => {
    expect(await quarterdeck.mesh.getConfigEntry(asked)).toMatchObject({ name: "web" });
    expect(calls).toMatchObject([CALL]);
  });

  test("returns the mocked result as an output, with an output of a mocked resource as its argument", async () => {
    const made = new quarterdeck.mesh.ServiceDefaults("web", { name: "web", spec: { protocol: "http" } });
    const answered = quarterdeck.mesh.getConfigEntryOutput({ kind: "service-defaults", name: made.name });
    const name = await new Promise((resolve) => answered.apply((entry) => resolve(Object(entry).name)));
    expect(name).toBe("web");
    expect(calls).toMatchObject([CALL]);
  });

  test("returns mocked credentials as secret", async () => {
    const answered = quarterdeck.secrets.getDirectoryStaticCredentialsOutput({ roleName: "app" });
    // The SDK stores this flag in a member that its types do not declare.
    expect(await Object(answered).isSecret).toBe(true);
  });

  test("rejects an iteration, because a mock has only one result", async () => {
    const each = quarterdeck.workspaces.eachWorkspace({});
    await expect(each.next()).rejects.toThrow(/setMocks returns one response.*getWorkspaces/s);
  });
});
