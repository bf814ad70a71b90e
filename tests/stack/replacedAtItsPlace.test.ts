import * as quarterdeck from "../../sdk";
import { consoleOn } from "./console";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(240_000);

const DIALECT = { dialect: "neutral" };
const NEUTRAL = { workspaces: DIALECT, scheduler: DIALECT, secrets: DIALECT, mesh: DIALECT };

let stack: TestStack;

beforeEach(async () => {
  stack = await TestStack.open(NEUTRAL);
  await consoleOn(stack.stub)("secrets", "POST", "/v1/ldap/config", { binddn: "cn=admin", bindpass: "hush" });
});

afterEach(() => stack.close());

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

/** Deletes the role to replace it, and fails to create its replacement. */
const failReplacement = async (username: string) => {
  await stack.stub.fault({
    kind: "status",
    match: { service: "secrets", method: "POST", path: STATIC_ROLE },
    status: 400,
    body: { errors: ["no such account"] },
  });
  const failed = await stack.up(staticRole(username));
  expect(failed.failure).toBeDefined();
  await stack.stub.expectFaultsUsed();
  expect(await usernameOnServer()).toBeUndefined();
};

describe.each(["plugin", "dynamic"] as const)(
  "a failed replacement that the program reverts (%s)",
  (bridge) => {
    beforeEach(() => stack.setBridge(bridge));

    test.each(["at once", "after a refresh"])("is created again and stays, %s", async (when) => {
      expect((await stack.up(staticRole("svc-db"))).failure).toBeUndefined();
      await failReplacement("svc-other");
      if (when !== "at once") expect((await stack.refresh()).failure).toBeUndefined();
      const reverted = await stack.up(staticRole("svc-db"));
      expect(reverted.failure).toBeUndefined();
      expect(await usernameOnServer()).toBe("svc-db");
      expect((await stack.refresh()).changes).toEqual({ same: 2 });
      expect((await stack.preview()).changes).toEqual({ same: 2 });
    });

    test("stays although the program asks for the create first, with a warning", async () => {
      expect((await stack.up(staticRole("svc-db"))).failure).toBeUndefined();
      await failReplacement("svc-other");
      const reverted = await stack.up(staticRole("svc-db", { deleteBeforeReplace: false }));
      expect(reverted.failure).toBeUndefined();
      expect(reverted.output).toContain("ldap/db");
      expect(reverted.output).toMatch(/not deleted/);
      expect(await usernameOnServer()).toBe("svc-db");
      expect((await stack.preview(staticRole("svc-db"))).changes).toEqual({ same: 2 });
      expect((await stack.destroy()).failure).toBeUndefined();
      expect(await usernameOnServer()).toBeUndefined();
    });

    test.each([{ replace: true }, { target: true }])("stays with %j", async ({ replace, target }) => {
      expect((await stack.up(staticRole("svc-db"))).failure).toBeUndefined();
      await failReplacement("svc-other");
      const { resources = [] } = (await stack.stack.exportStack()).deployment;
      const urn = resources.find(({ id }: { id?: string }) => id?.endsWith("/db")).urn;
      const reverted = await stack.up(staticRole("svc-db"), {
        ...(replace && { replace: [urn] }),
        ...(target && { target: [urn] }),
      });
      expect(reverted.failure).toBeUndefined();
      expect(await usernameOnServer()).toBe("svc-db");
      expect((await stack.preview()).changes).toEqual({ same: 2 });
      expect((await stack.destroy()).failure).toBeUndefined();
      expect(await usernameOnServer()).toBeUndefined();
    });
  },
);
