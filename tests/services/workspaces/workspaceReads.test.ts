import { callFunction } from "../../../provider/core/functions/call";
import type { FunctionDefinition } from "../../../provider/core/functions/define";
import functions from "../../../provider/services/workspaces/functions";
import variable from "../../../provider/services/workspaces/variable";
import { Resource } from "../../steps/resource";
import { workspaceWorld } from "../../steps/subjects/ofWorkspace";
import type { Fate, World } from "../../steps/world";
import { OWNER_WITHOUT_ACCESS } from "./workspace-scene";

const workspaceId = "ws-app";
const CANARY = "canary-password";

function call(world: World, definition: FunctionDefinition, args = { workspaceId }) {
  const { connection } = world;
  return callFunction(definition, args, { connection, log: () => undefined });
}

describe("getVariables", () => {
  const { getVariables } = functions;

  test("returns the variables of the workspace, except the values of sensitive ones", async () => {
    const world = workspaceWorld(variable);
    const region = { workspaceId, key: "region", category: "terraform", value: "eu", description: "where" };
    await new Resource(world, variable).create(region);
    const token = { workspaceId, key: "TOKEN", category: "env", sensitive: true, sensitiveValue: CANARY };
    await new Resource(world.another(), variable).create(token);
    await new Resource(world.another(), variable).create({ ...region, workspaceId: "ws-web" });
    world.requests.length = 0;
    const { result } = await call(world, getVariables);
    const { sensitiveValue: _, ...shown } = token;
    expect(result).toEqual({
      variables: [
        { ...region, hcl: false, sensitive: false, variableId: expect.stringMatching(/^var-/) },
        { ...shown, hcl: false, variableId: expect.stringMatching(/^var-/) },
      ],
    });
    expect(JSON.stringify(result)).not.toContain("canary");
    expect(world.requests).toHaveLength(1);
  });

  test("returns no value for a sensitive variable if the server returns an empty one", async () => {
    const world = workspaceWorld(variable);
    const attributes = { key: "TOKEN", category: "env", value: "", sensitive: true };
    const text = JSON.stringify({ data: [{ id: "var-1", type: "vars", attributes }] });
    world.fate = (): Fate => ({ answer: { status: 200, text }, isCarriedOut: false });
    const { result } = await call(world, getVariables);
    expect(result.variables).toEqual([
      { workspaceId, key: "TOKEN", category: "env", sensitive: true, variableId: "var-1" },
    ]);
  });
});

describe("getWorkspaceOutputs", () => {
  const { getWorkspaceOutputs } = functions;

  const OUTPUTS = [
    { name: "url", value: "https://example.com" },
    { name: "ports", value: [80, 443] },
    { name: "limits", value: { cpu: 2, tags: ["a"], spot: false } },
    { name: "unset", value: null },
    { name: "password", value: CANARY, sensitive: true },
    { name: "users", value: { root: CANARY }, sensitive: true },
  ];
  const withOutputs = (outputs: readonly object[] = OUTPUTS): World => {
    const world = workspaceWorld(variable);
    world.stub.seed({ workspaces: [{ organization: "acme", name: "app", outputs }] });
    return world;
  };

  test("returns the values of all outputs with their types, and marks the result as secret", async () => {
    const world = withOutputs();
    const { result, isSecret } = await call(world, getWorkspaceOutputs);
    expect(result).toEqual({
      values: {
        url: "https://example.com",
        ports: [80, 443],
        limits: { cpu: 2, tags: ["a"], spot: false },
      },
      sensitiveValues: { password: CANARY, users: { root: CANARY } },
    });
    expect(isSecret).toBe(true);
  });

  test("requests the list once, and each sensitive output once", async () => {
    const world = withOutputs();
    await call(world, getWorkspaceOutputs);
    expect(world.requests).toHaveLength(3);
  });

  test("a state without outputs has empty maps", async () => {
    expect((await call(withOutputs([]), getWorkspaceOutputs)).result).toEqual({
      values: {},
      sensitiveValues: {},
    });
  });

  test("a workspace without a state is an error that says what to do", async () => {
    const withoutState = { workspaceId: "ws-web" };
    await expect(call(workspaceWorld(variable), getWorkspaceOutputs, withoutState)).rejects.toThrow(
      /"ws-web" has no state yet.*Apply a run of the workspace first/s,
    );
  });

  test("a token that cannot see the workspace gets the server's 404, not the error of a missing state", async () => {
    const world = withOutputs();
    world.stub.seed(OWNER_WITHOUT_ACCESS);
    await expect(call(world, getWorkspaceOutputs)).rejects.toThrow(/returned 404/);
  });

  test("a token that may not read the outputs gets the server's 404, with the missing permission", async () => {
    const app = { organization: "acme", name: "app", id: workspaceId };
    for (const world of [withOutputs(), workspaceWorld(variable, { workspaces: [app] })])
      await expect(call(world.with({ token: "runner" }), getWorkspaceOutputs)).rejects.toThrow(
        /returned 404.*Read state outputs/s,
      );
  });

  test("rejects a response with an output other than the requested one", async () => {
    const world = withOutputs();
    const other = {
      id: "wsout-other",
      type: "state-version-outputs",
      attributes: { name: "x", value: CANARY },
    };
    const text = JSON.stringify({ data: other });
    world.fate = ({ path }): Fate =>
      path.includes("/state-version-outputs/")
        ? { answer: { status: 200, text }, isCarriedOut: false }
        : "passes";
    await expect(call(world, getWorkspaceOutputs)).rejects.toThrow(/other than the requested object/);
  });
});
