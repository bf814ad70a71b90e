import type { Values } from "../../../provider/core/language/object";
import workspace from "../../../provider/services/workspaces/workspace";
import { Resource } from "../../steps/resource";
import { made } from "./workspace-scene";

describe("a delete of a workspace", () => {
  test("is safe by default: it refuses before calling while resources are managed", async () => {
    const { stub, world, resource } = await made({ name: "app" });
    stub.seed({ workspaces: [{ organization: "acme", name: "app", resourceCount: 3 }] });
    await expect(resource.delete()).rejects.toThrow(/still manages 3 resources.*forceDelete/);
    expect(world.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  test("of a locked workspace names the holder and the reason", async () => {
    const { stub, resource } = await made({ name: "app" });
    stub.seed({
      workspaces: [{ organization: "acme", name: "app", lockedBy: { user: "mia" }, lockedReason: "audit" }],
    });
    await expect(resource.delete()).rejects.toThrow(
      /workspace "app" is locked by user-mia \(audit\)\. Next: unlock it first; or set forceDelete: true/,
    );
  });

  test.each<[string, object]>([
    ["is locked", { lockedBy: { user: "mia" } }],
    ["manages resources", { resourceCount: 3 }],
  ])("that the service refuses because the workspace by now %s is asked for once", async (_, meanwhile) => {
    const { stub, world, resource } = await made({ name: "app" });
    world.fate = ({ path }) => {
      if (path.endsWith("safe-delete"))
        stub.seed({ workspaces: [{ organization: "acme", name: "app", ...meanwhile }] });
      return "passes";
    };
    await expect(resource.delete()).rejects.toThrow(/answered 409.*(locked|still managed)/s);
    expect(world.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test.each<[string, Values, object, RegExp]>([
    ["may only read it", {}, { app: "read" }, /may not delete it; nothing was sent.*Admin permission/],
    [
      "may not force it",
      { forceDelete: true },
      { app: "admin" },
      /nothing was sent.*can-force-delete is false/,
    ],
  ])("by a token that %s is refused before anything is sent", async (_, more, workspaces, told) => {
    const { stub, world, resource } = await made({ name: "app", ...more });
    stub.seed({
      tokens: { narrow: { user: "nina", organizations: { acme: ["narrow"] } } },
      organizations: { acme: { allowForceDelete: false, teams: { narrow: { workspaces } } } },
    });
    const own = world.with({ token: "narrow" });
    const narrow = new Resource(own, workspace);
    narrow.outputs = resource.outputs;
    await expect(narrow.delete()).rejects.toThrow(told);
    expect(own.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  test.each(["objects", "strings"])(
    "waits while the service says, in errors that are %s, that it is being processed",
    async (errorForm) => {
      const { stub, world, resource } = await made({ name: "app" });
      stub.configure({ errorForm });
      stub.seed({ workspaces: [{ organization: "acme", name: "app", processingUntil: world.now + 1000 }] });
      let asked = 0;
      world.fate = ({ path }) => {
        if (path.endsWith("safe-delete") && ++asked === 2) world.now += 2000;
        return "passes";
      };
      await resource.delete();
      expect(asked).toBeGreaterThan(1);
    },
  );

  test("goes ahead on request, whatever is managed", async () => {
    const { stub, world, resource } = await made({ name: "app", forceDelete: true });
    stub.seed({
      workspaces: [{ organization: "acme", name: "app", resourceCount: 3, lockedBy: { user: "mia" } }],
    });
    await resource.delete();
    expect(world.requests.at(-1)).toMatchObject({ method: "DELETE" });
  });

  test("on a server that knows no safe delete says what to set", async () => {
    const { stub, resource } = await made({ name: "app" });
    stub.configure({ safeDeleteExists: false });
    await expect(resource.delete()).rejects.toThrow(/knows no safe delete.*forceDelete: true/);
  });
});
