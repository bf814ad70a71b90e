import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { list } from "tar";
import { digestOfDirectory } from "../../../provider/services/workspaces/configurationDirectory";
import configurationVersion from "../../../provider/services/workspaces/configurationVersion";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import type { World } from "../../steps/world";
import { letPass, refusal, setFate } from "../interference";

jest.mock("../../../provider/core/value/fileDigest", () => jest.requireActual("../../faults/files"));

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "network-"));
  writeFileSync(join(directory, "main.tf"), 'output "greeting" { value = "hello" }\n');
});
afterEach(() => rmSync(directory, { recursive: true }));

const program = () => ({ workspaceId: WORKSPACE_ID, directory, sha256: digestOfDirectory(directory) });

function scene() {
  const world = workspaceWorld(configurationVersion);
  return { world, resource: new Resource(world, configurationVersion) };
}

interface Stored {
  readonly id: string;
  readonly files: string | null;
  readonly [flag: string]: unknown;
}

/** The configuration versions on the server, the oldest first. */
const versionsOf = ({ stub }: World) =>
  // The dump contains the stub's own records.
  Object.values((stub.dump() as { configurationVersions: Record<string, Stored> }).configurationVersions);
const writesOf = ({ requests }: World) =>
  requests.filter(({ method }) => method !== "GET").map(({ method }) => method);

describe("a configuration version", () => {
  test("contains the files of the directory, and queues no run", async () => {
    const { world, resource } = scene();
    await resource.create(program());
    const [own] = versionsOf(world);
    expect(own).toMatchObject({ autoQueueRuns: false, speculative: false, provisional: false });
    expect(resource.outputs).toMatchObject({ configurationVersionId: own?.id, status: "uploaded" });
    const paths: string[] = [];
    const parser = list({ sync: true, onReadEntry: ({ path }) => paths.push(path) });
    parser.end(Buffer.from(own?.files ?? "", "base64"));
    expect(paths).toEqual(["main.tf"]);
  });

  test("takes three requests", async () => {
    const { world, resource } = scene();
    await resource.create(program());
    expect(world.requests.map(({ method }) => method)).toEqual(["POST", "PUT", "GET"]);
  });

  test("is sent to the upload URL without the token", async () => {
    const { world, resource } = scene();
    await resource.create(program());
    const upload = world.requests.find(({ method }) => method === "PUT");
    expect(upload).toMatchObject({ skipsToken: true });
  });

  test("leaves no archive in the temporary folder", async () => {
    const { world, resource } = scene();
    const archives = () => readdirSync(tmpdir()).filter((name) => name.startsWith("quarterdeck-"));
    const before = archives();
    await resource.create(program());
    setFate(world, /^PUT /, refusal(422, "too large"));
    await new Resource(world, configurationVersion).create(program()).catch(() => undefined);
    expect(archives()).toEqual(before);
  });

  test("is complete if only the response to the upload is lost", async () => {
    const { world, resource } = scene();
    setFate(world, /^PUT /, "response lost");
    await resource.create(program());
    expect(resource.outputs).toMatchObject({ status: "uploaded" });
    expect(writesOf(world)).toEqual(["POST", "PUT"]);
  });

  test("without files is left, and the next up uploads another one", async () => {
    const { world, resource } = scene();
    setFate(world, /^PUT /, "request lost");
    await expect(resource.create(program())).rejects.toThrow(/lost its connection/);
    expect(resource.outputs).toMatchObject({ status: "pending" });
    letPass(world);
    await resource.up(program());
    expect(versionsOf(world).map(({ files }) => files !== null)).toEqual([false, true]);
    expect(resource.outputs).toMatchObject({ status: "uploaded" });
  });

  test("is created again if the response to its create is lost", async () => {
    const { world, resource } = scene();
    setFate(world, /^POST /, "response lost");
    await expect(resource.create(program())).rejects.toThrow(/uses it for no run/);
    expect(resource.outputs).toEqual({});
    letPass(world);
    await resource.create(program());
    expect(resource.outputs).toMatchObject({ status: "uploaded" });
  });

  test("is not created if the directory has changed since the preview", async () => {
    const { world, resource } = scene();
    const previewed = program();
    writeFileSync(join(directory, "main.tf"), "");
    await expect(resource.create(previewed)).rejects.toThrow(/has the SHA-256 .* it was not uploaded/);
    expect(world.requests).toEqual([]);
  });

  test("is replaced if a file changes, and not if only the path of the directory does", async () => {
    const { resource } = scene();
    await resource.create(program());
    const changes = (inputs: ReturnType<typeof program>) =>
      resource.preview(inputs).changes.map(({ path, replaces }) => [path.join("."), replaces]);
    expect(changes({ ...program(), directory: `${directory}/.` })).toEqual([["directory", false]]);
    writeFileSync(join(directory, "main.tf"), "");
    expect(changes(program())).toEqual([["sha256", true]]);
  });

  test("that the server rejects is partially created, with the server's reason", async () => {
    const { world, resource } = scene();
    world.fate = ({ method }) => {
      if (method !== "GET") return "passes";
      const attributes = { status: "errored", "error-message": "not a tar.gz file" };
      const data = { id: versionsOf(world)[0]?.id, type: "configuration-versions", attributes };
      return refusal(200, JSON.stringify({ data }));
    };
    await expect(resource.create(program())).rejects.toThrow(/is errored: .* not a tar.gz file/);
    expect(resource.outputs).toMatchObject({ status: "errored" });
  });

  test("stays on the server after a delete", async () => {
    const { world, resource } = scene();
    await resource.create(program());
    const before = world.requests.length;
    await resource.delete();
    expect(world.requests).toHaveLength(before);
    expect(versionsOf(world)).toHaveLength(1);
  });
});
