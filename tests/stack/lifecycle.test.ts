import { type Case, casesOn } from "./cases";
import { type Ask, consoleOn } from "./console";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

let stack: TestStack;
let ask: Ask;
let cases: readonly Case[];

beforeEach(async () => {
  stack = await TestStack.open();
  ask = consoleOn(stack.stub);
  const guard = await ask("secrets", "POST", "/v1/identity/mfa/method/okta", {
    method_name: "guard",
    org_name: "acme",
    api_token: "t",
  });
  cases = casesOn(ask, guard.body.data.method_id);
  await stack.stub.clearRequests();
});
afterEach(() => stack.close());

/** A program with one resource of each type. */
const program =
  (which: "first" | "second" | "other", extra: object = {}) =>
  async () => {
    for (const one of cases) one.make(one.token.replace(":", "-"), { ...one[which], ...extra });
  };

const held = () => Promise.all(cases.map(({ holds }) => holds()));
const allHold = (index: 0 | 1) => cases.map((one) => one.held[index]);
const writes = () => stack.writes();

test("a preview sends no write, an up creates all resources, and a second up sends no request", async () => {
  expect(await stack.preview(program("first"))).toMatchObject({ failure: undefined, changes: { create: 7 } });
  expect(await writes()).toEqual([]);
  expect(await stack.up()).toMatchObject({ failure: undefined, changes: { create: 7 } });
  expect(await held()).toEqual(allHold(0));
  await stack.stub.clearRequests();
  expect(await stack.preview()).toMatchObject({ changes: { same: 7 } });
  expect(await stack.up()).toMatchObject({ changes: { same: 7 } });
  expect(await stack.stub.requests()).toEqual([]);
});

test("an edit of the program updates each resource in place, and a later refresh shows no changes", async () => {
  await stack.up(program("first"));
  expect(await stack.up(program("second"))).toMatchObject({
    failure: undefined,
    changes: { update: 6, same: 1 },
  });
  expect(await held()).toEqual(allHold(1));
  expect(await stack.preview()).toMatchObject({ changes: { same: 7 } });
  expect(await stack.refresh()).toMatchObject({ changes: { same: 7 } });
});

test("a refresh shows changes outside the stack, and the next up reverts them", async () => {
  await stack.up(program("first"));
  for (const { edit } of cases) await edit();
  expect(await stack.preview()).toMatchObject({ changes: { same: 7 } });
  const refreshed = await stack.refresh();
  expect(refreshed).toMatchObject({ failure: undefined, changes: { update: 6, same: 1 } });
  expect(await stack.up()).toMatchObject({ failure: undefined, changes: { update: 6, same: 1 } });
  expect(await held()).toEqual(allHold(0));
  expect(await stack.refresh()).toMatchObject({ changes: { same: 7 } });
});

test("another user's edit between preview and up causes a conflict, which a refresh and an up resolve", async () => {
  await stack.up(program("first"));
  await stack.preview(program("second"));
  for (const { edit } of cases) await edit();
  for (const one of cases) {
    const { failure, output } = await stack.up(program("second"), { target: [stack.urnOf(one.token)] });
    const message = `${failure}${output}`;
    expect(message).toMatch(one.named);
    expect(message).toMatch(one.changed);
    expect(message).toContain("was changed outside this stack (or by a killed command); nothing was written");
    expect(message).toContain("to keep yours:");
  }
  expect(await held()).toEqual(cases.map(({ edited }) => edited));
  await stack.refresh();
  expect(await stack.up(program("second"))).toMatchObject({
    failure: undefined,
    changes: { update: 6, same: 1 },
  });
  expect(await held()).toEqual(allHold(1));
});

test("another user's change of an unmanaged property survives an update, and is not drift", async () => {
  await stack.up(program("first"));
  for (const { editUnmanaged } of cases) await editUnmanaged?.();
  expect(await stack.up(program("second"))).toMatchObject({
    failure: undefined,
    changes: { update: 6, same: 1 },
  });
  const workspace = await ask("workspaces", "GET", "/api/v2/organizations/acme/workspaces/app");
  expect(workspace.body.data.attributes).toMatchObject({ description: "second", "auto-apply": true });
  expect((await ask("secrets", "GET", "/v1/rabbitmq/roles/app")).body.data).toMatchObject({
    tags: "management",
    vhosts: { "/": { read: ".*" } },
  });
  const enforcement = await ask("secrets", "GET", "/v1/identity/mfa/login-enforcement/everybody");
  expect(enforcement.body.data).toMatchObject({
    auth_method_types: ["ldap"],
    identity_group_ids: ["group-9"],
  });
  expect(await stack.refresh()).toMatchObject({ changes: { same: 7 } });
});

test("a refresh removes deleted objects from the state, and the next up creates them again", async () => {
  await stack.up(program("first"));
  for (const { takeAway } of cases) await takeAway();
  expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { delete: 6, same: 1 } });
  expect(await stack.up()).toMatchObject({ failure: undefined, changes: { create: 6, same: 1 } });
  expect(await held()).toEqual(allHold(0));
});

test("an existing object makes a create fail, and is adopted only with adopt: true", async () => {
  const left = () => {
    for (const one of cases) one.make(one.token.replace(":", "-"), one.first, { retainOnDelete: true });
    return Promise.resolve();
  };
  await stack.up(left);
  await stack.destroy();
  expect(await held()).toEqual(allHold(0));
  for (const one of cases) {
    const alone = async () => void one.make("alone", one.second);
    const { failure, output } = await stack.up(alone);
    expect(`${failure}${output}`).toMatch(
      /already exists(; nothing was written|; the server rejected the create)\./,
    );
  }
  expect(await held()).toEqual(allHold(0));
  const previewed = await stack.preview(program("second", { adopt: true }));
  expect(previewed).toMatchObject({ failure: undefined, changes: { create: 6, same: 1 } });
  // An engine prints a message once or twice: when it arrives, and at the end.
  const messages = previewed.output.match(/`pulumi up` adopts the existing object/g);
  expect([6, 12]).toContain(messages?.length);
  expect(await held()).toEqual(allHold(0));
  const adopting = await stack.up(program("second", { adopt: true }));
  expect(adopting).toMatchObject({ failure: undefined, changes: { create: 6, same: 1 } });
  expect(await held()).toEqual(allHold(1));
  expect(await stack.preview()).toMatchObject({ changes: { same: 7 } });
});

test("a change of an identifying property replaces the resource", async () => {
  await stack.setConnection("second");
  await stack.up(program("first"));
  const { failure, changes } = await stack.up(program("other"));
  expect(failure).toBeUndefined();
  expect(changes).toMatchObject({ replace: 6, same: 1 });
  expect(await stack.preview()).toMatchObject({ changes: { same: 7 } });
});

test("a destroy restores the original content of the servers", async () => {
  const before = await stack.objects();
  await stack.up(program("first"));
  expect(await stack.destroy()).toMatchObject({ failure: undefined, changes: { delete: 7 } });
  expect(await held()).toEqual(cases.map(() => undefined));
  expect(await stack.objects()).toEqual(before);
});
