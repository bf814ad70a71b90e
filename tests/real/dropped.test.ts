import * as quarterdeck from "../../sdk";
import { TestStack } from "../stack/stack";
import { reset } from "./reset";
import { isOnPath } from "./servers/onPath";
import { givenServer } from "./servers/server";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

const server = givenServer();

if (server?.program !== "otfd") {
  test.skip("values that a server drops need a real OTF server", () => undefined);
} else {
  const { address, token, version } = server;
  process.env.PULUMI_ENGINE ??= isOnPath("pulumi") ? "cli" : "embedded";
  let stack: TestStack;

  beforeEach(async () => {
    await reset();
    stack = await TestStack.open({ workspaces: { address, token, dialect: "real", organization: "acme" } });
  });
  afterEach(() => stack.close());

  const program = (args: object) => async () => {
    new quarterdeck.workspaces.Workspace("app", { name: "app", forceDelete: true, ...args });
  };

  test(`a value that the server has no member for stays a change until the program removes it (${version})`, async () => {
    const assessed = program({ assessmentsEnabled: true });
    expect((await stack.up(assessed)).failure).toMatch(
      /accepted the create and ignored these values:[\s\S]*assessmentsEnabled +true +\(none\)/,
    );
    expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { same: 1, update: 1 } });
    expect((await stack.up(assessed)).failure).toMatch(/accepted the update and ignored these values:/);
    expect(await stack.up(program({}))).toMatchObject({ failure: undefined });
    expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
    expect(await stack.destroy()).toMatchObject({ failure: undefined });
  });

  test(`a removed value that the server does not reset stays a change (${version})`, async () => {
    expect(await stack.up(program({ executionMode: "local" }))).toMatchObject({ failure: undefined });
    expect((await stack.up(program({}))).failure).toMatch(
      /accepted the update and ignored these values:[\s\S]*executionMode +\(none\) +"local"/,
    );
    expect(await stack.preview()).toMatchObject({ changes: { same: 1, update: 1 } });
    expect(await stack.up(program({ executionMode: "remote" }))).toMatchObject({ failure: undefined });
    expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
    expect(await stack.destroy()).toMatchObject({ failure: undefined });
  });
}
