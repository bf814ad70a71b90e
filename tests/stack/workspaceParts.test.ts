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

const idOf = async (name: string): Promise<string> =>
  (await ask("workspaces", "GET", `/api/v2/organizations/acme/workspaces/${name}`)).body.data.id;

async function consumersOf(name: string): Promise<string[]> {
  const path = `/api/v2/workspaces/${await idOf(name)}/relationships/remote-state-consumers`;
  const { body } = await ask("workspaces", "GET", path);
  return body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name).sort();
}

async function bindingsOf(name: string): Promise<Record<string, string>> {
  const { body } = await ask("workspaces", "GET", `/api/v2/workspaces/${await idOf(name)}/tag-bindings`);
  return Object.fromEntries(
    body.data.map(({ attributes: { key, value } }: { attributes: { key: string; value: string } }) => [
      key,
      value,
    ]),
  );
}

const platform = (reader: "shop" | "desk", globalRemoteState: boolean) => async () => {
  const network = new quarterdeck.workspaces.Workspace("network", { name: "network", globalRemoteState });
  const shop = new quarterdeck.workspaces.Workspace("shop", { name: "shop" });
  const desk = new quarterdeck.workspaces.Workspace("desk", { name: "desk" });
  new quarterdeck.workspaces.RemoteStateConsumers("readers", {
    workspaceId: network.workspaceId,
    consumerIds: [{ shop, desk }[reader].workspaceId],
  });
};

test("RemoteStateConsumers preserves consumers added by others, and warns if all workspaces can read the state", async () => {
  expect(await stack.up(platform("shop", false))).toMatchObject({ failure: undefined });
  const lab = await ask("workspaces", "POST", "/api/v2/organizations/acme/workspaces", {
    data: { type: "workspaces", attributes: { name: "lab" } },
  });
  const list = `/api/v2/workspaces/${await idOf("network")}/relationships/remote-state-consumers`;
  await ask("workspaces", "POST", list, { data: [{ type: "workspaces", id: lab.body.data.id }] });
  expect(await stack.up(platform("desk", false))).toMatchObject({
    failure: undefined,
    changes: { update: 1 },
  });
  expect(await consumersOf("network")).toEqual(["desk", "lab"]);
  expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 5 } });
  expect(await stack.preview()).toMatchObject({ changes: { same: 5 } });

  await stack.up(platform("desk", true));
  await stack.refresh();
  const { changes, output } = await stack.preview();
  expect(changes).toEqual({ same: 5 });
  expect(output).toContain("shares its state with its entire organization");
  await stack.up(platform("desk", false));
  expect(await stack.destroy()).toMatchObject({ failure: undefined });
});

test("the first up with tagBindings reports existing tags as a conflict, and the next up replaces them", async () => {
  const tagged = (tagBindings?: Record<string, string>) => async () =>
    void new quarterdeck.workspaces.Workspace("app", { name: "app", ...(tagBindings && { tagBindings }) });
  await stack.up(tagged());
  const path = `/api/v2/workspaces/${await idOf("app")}/tag-bindings`;
  await ask("workspaces", "PATCH", path, {
    data: [{ type: "tag-bindings", attributes: { key: "theirs", value: "1" } }],
  });
  const { failure, output } = await stack.up(tagged({ ours: "2" }));
  expect(failure).toBeDefined();
  expect(output).toMatch(/tagBindings\.theirs +\(none\) +\(none\) +"1"/);
  expect(output).toContain("the values found are now in the state");
  expect(await bindingsOf("app")).toEqual({ theirs: "1" });
  expect(await stack.up()).toMatchObject({ failure: undefined, changes: { update: 1 } });
  expect(await bindingsOf("app")).toEqual({ ours: "2" });
  expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
});
