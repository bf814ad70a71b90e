import * as quarterdeck from "../../sdk";
import { consoleOn } from "./console";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(240_000);

let stack: TestStack;

beforeEach(async () => {
  stack = await TestStack.open();
  await consoleOn(stack.stub)("secrets", "POST", CONFIG, { binddn: "cn=admin", bindpass: "hush" });
});

afterEach(() => stack.close());

const CONFIG = "/v1/ldap/config";
const STATIC_ROLE = "/v1/ldap/static-role/db";

const staticRole =
  (
    username: string,
    options: ConstructorParameters<typeof quarterdeck.secrets.DirectoryStaticRole>[2] = {},
  ) =>
  async () =>
    void new quarterdeck.secrets.DirectoryStaticRole(
      "db",
      { roleName: "db", username, rotationPeriod: "1h" },
      options,
    );

const usernameOnServer = async () => {
  const { status, body } = await consoleOn(stack.stub)("secrets", "GET", STATIC_ROLE);
  return status === 404 ? undefined : body.data.username;
};

const urnsOfRole = async (): Promise<string[]> => {
  const { resources = [] }: { resources?: { id?: string; urn: string }[] } = (await stack.stack.exportStack())
    .deployment;
  return resources.filter(({ id }) => id?.endsWith("/db")).map(({ urn }) => urn);
};

/** Makes the server reject the next create of the role. */
const failCreate = () =>
  stack.stub.fault({
    kind: "status",
    match: { service: "secrets", method: "POST", path: STATIC_ROLE },
    status: 400,
    body: { errors: ["no such account"] },
  });

/** Deletes the role to replace it, and fails to create its replacement. */
const failReplacement = async (username: string) => {
  await failCreate();
  const failed = await stack.up(staticRole(username));
  expect(failed.failure).toBeDefined();
  await stack.stub.expectFaultsUsed();
  expect(await usernameOnServer()).toBeUndefined();
};

describe.each(["plugin", "dynamic"] as const)(
  "a failed replacement that the program reverts (%s)",
  (bridge) => {
    beforeEach(() => stack.setBridge(bridge));

    test.each(["at once", "after a refresh"])("is created again and remains, %s", async (when) => {
      expect((await stack.up(staticRole("svc-db"))).failure).toBeUndefined();
      await failReplacement("svc-other");
      if (when !== "at once") expect((await stack.refresh()).failure).toBeUndefined();
      const reverted = await stack.up(staticRole("svc-db"));
      expect(reverted.failure).toBeUndefined();
      expect(await usernameOnServer()).toBe("svc-db");
      expect((await stack.refresh()).changes).toEqual({ same: 2 });
      expect((await stack.preview()).changes).toEqual({ same: 2 });
    });

    test("remains with a warning if deleteBeforeReplace is false", async () => {
      expect((await stack.up(staticRole("svc-db"))).failure).toBeUndefined();
      await failReplacement("svc-other");
      const reverted = await stack.up(staticRole("svc-db", { deleteBeforeReplace: false }));
      expect(reverted.failure).toBeUndefined();
      expect(reverted.output).toMatch(/not deleted/);
      expect(await usernameOnServer()).toBe("svc-db");
      expect((await stack.preview(staticRole("svc-db"))).changes).toEqual({ same: 2 });
      expect((await stack.destroy()).failure).toBeUndefined();
      expect(await usernameOnServer()).toBeUndefined();
    });

    test.each([{ replace: true }, { target: true }])(
      "remains after an up with %j",
      async ({ replace, target }) => {
        expect((await stack.up(staticRole("svc-db"))).failure).toBeUndefined();
        await failReplacement("svc-other");
        const urns = await urnsOfRole();
        const reverted = await stack.up(staticRole("svc-db"), {
          ...(replace && { replace: urns }),
          ...(target && { target: urns }),
        });
        expect(reverted.failure).toBeUndefined();
        expect(await usernameOnServer()).toBe("svc-db");
        expect((await stack.preview()).changes).toEqual({ same: 2 });
        expect((await stack.destroy()).failure).toBeUndefined();
        expect(await usernameOnServer()).toBeUndefined();
      },
    );
  },
);

describe.each(["plugin", "dynamic"] as const)("a rename with adopt in two commands (%s)", (bridge) => {
  beforeEach(() => stack.setBridge(bridge));

  const role = (name: string) =>
    new quarterdeck.secrets.QueueRole(name, { name: "reader", tags: "management", adopt: true });

  const both = async () => {
    const old = role("old");
    // The second create adopts what the first one created.
    await new Promise((resolve) => old.id.apply(resolve));
    role("new");
  };

  test.each([false, true])(
    "keeps the object until its last entry is deleted (refresh: %s)",
    async (refresh) => {
      expect((await stack.up(both)).failure).toBeUndefined();
      const renamed = await stack.up(async () => void role("new"), { refresh });
      expect(renamed.failure).toBeUndefined();
      expect(renamed.changes).toMatchObject({ delete: 1 });
      expect(renamed.output).toContain("another resource of this stack manages the object");
      expect((await stack.objects()).join("")).toContain("reader");
      expect((await stack.preview()).changes).toEqual({ same: 2 });
      expect((await stack.destroy({ refresh })).failure).toBeUndefined();
      expect((await stack.objects()).join("")).not.toContain("reader");
    },
  );

  test("deletes both entries and the object in one destroy that refreshes first", async () => {
    expect((await stack.up(both)).failure).toBeUndefined();
    expect((await stack.destroy({ refresh: true })).failure).toBeUndefined();
    expect((await stack.objects()).join("")).not.toContain("reader");
  });
});

describe.each(["plugin", "dynamic"] as const)("pulumi up --replace (%s)", (bridge) => {
  beforeEach(() => stack.setBridge(bridge));

  test("fails because the object exists, and deletes the object first with deleteBeforeReplace", async () => {
    expect((await stack.up(staticRole("svc-db"))).failure).toBeUndefined();
    const replace = await urnsOfRole();
    await stack.stub.clearRequests();
    const refused = await stack.up(undefined, { replace });
    expect(`${refused.failure}${refused.output}`).toMatch(/already exists/);
    expect(await stack.writes()).toEqual([]);
    const replaced = await stack.up(staticRole("svc-db", { deleteBeforeReplace: true }), { replace });
    expect(replaced.failure).toBeUndefined();
    expect(await stack.writes()).toEqual([`secrets DELETE ${STATIC_ROLE}`, `secrets POST ${STATIC_ROLE}`]);
    expect(await usernameOnServer()).toBe("svc-db");
  });
});

describe("replaceOnChanges", () => {
  const replaced = (rotationPeriod: string) => async () =>
    void new quarterdeck.secrets.DirectoryStaticRole(
      "db",
      { roleName: "db", username: "svc-db", rotationPeriod },
      { replaceOnChanges: ["rotationPeriod"] },
    );

  test("deletes first on the plugin if the object keeps its address, also after a failure that is reverted", async () => {
    await stack.setBridge("plugin");
    expect((await stack.up(replaced("1h"))).failure).toBeUndefined();
    await stack.stub.clearRequests();
    expect((await stack.up(replaced("2h"))).failure).toBeUndefined();
    expect(await stack.writes()).toEqual([`secrets DELETE ${STATIC_ROLE}`, `secrets POST ${STATIC_ROLE}`]);
    await failCreate();
    expect((await stack.up(replaced("3h"))).failure).toBeDefined();
    expect(await usernameOnServer()).toBeUndefined();
    expect((await stack.up(replaced("2h"))).failure).toBeUndefined();
    expect(await usernameOnServer()).toBe("svc-db");
    expect((await stack.preview()).changes).toEqual({ same: 2 });
  });

  test("is rejected on the dynamic bridge, whose host does not report which properties change", async () => {
    await stack.setBridge("dynamic");
    const { failure } = await stack.up(replaced("1h"));
    expect(failure).toMatch(/do not support the option replaceOnChanges.*deleteBeforeReplace: true/);
    expect(await stack.writes()).toEqual([`secrets POST ${CONFIG}`]);
  });
});
