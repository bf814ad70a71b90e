import type { Json } from "../../../provider/core/value/json";
import { isKnown } from "../../../provider/core/value/unknown";
import { withPage } from "../../../provider/services/workspaces/workspacePage";
import { as, made } from "./workspace-scene";

const pageOf = (name: string) => `http://stub.invalid/app/acme/workspaces/${name}`;

describe("the page of a workspace", () => {
  test("is the service's own link, at the service's address", async () => {
    const { resource } = await made({ name: "app" });
    expect(resource.outputs.htmlUrl).toBe(pageOf("app"));
  });

  test("moves with its name, and is not known before", async () => {
    const { resource } = await made({ name: "app" });
    expect(isKnown(resource.plan({ name: "web" }, resource.outputs).htmlUrl ?? "")).toBe(false);
    await resource.up({ name: "web" });
    expect(resource.outputs.htmlUrl).toBe(pageOf("web"));
  });

  test("is shown by a refresh after somebody else renamed it", async () => {
    const { world, resource } = await made({ name: "app" });
    const body = { data: { type: "workspaces", attributes: { name: "theirs" } } };
    await world.send("PATCH", `/api/v2/workspaces/${resource.id}`, body, as("owner"));
    await resource.refresh();
    expect(resource.outputs.htmlUrl).toBe(pageOf("theirs"));
  });

  test("is not added by a refresh that finds nothing new in a state of an earlier version; with anything else it is", async () => {
    const { world, resource } = await made({ name: "app", description: "ours" });
    const { htmlUrl: _, ...earlier } = resource.outputs;
    resource.outputs = earlier;
    expect(resource.preview({ name: "app", description: "ours" }).changes).toEqual([]);
    await resource.refresh();
    expect(resource.outputs).toEqual(earlier);
    const body = { data: { type: "workspaces", attributes: { description: "theirs" } } };
    await world.send("PATCH", `/api/v2/workspaces/${resource.id}`, body, as("owner"));
    await resource.refresh();
    expect(resource.outputs).toMatchObject({ description: "theirs", htmlUrl: pageOf("app") });
  });

  test.each<[string, Json, string, unknown]>([
    [
      "a path, beside a path of the service's own",
      "/app/x",
      "https://cloud.example/base",
      "https://cloud.example/app/x",
    ],
    ["an address", "https://ui.example/x", "https://cloud.example", "https://ui.example/x"],
    [
      "a path, of an address with a password",
      "/app/x",
      "https://me:hush@cloud.example",
      "https://cloud.example/app/x",
    ],
    ["none", null, "https://cloud.example", undefined],
    ["an empty text", "", "https://cloud.example", undefined],
  ])("is made of %s", (_, page, address, expected) => {
    const body = { links: { "self-html": page } };
    expect(withPage(body, { settings: { address } })["html-url"]).toBe(expected);
  });
});
