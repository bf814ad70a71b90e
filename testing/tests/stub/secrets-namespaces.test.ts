import { NOT_FOUND, Scene, scene } from "./secrets-scene";

const error = (status: number, text: string) => ({
  status,
  body: { errors: [expect.stringContaining(text)] },
});
const MERGE = { headers: { "content-type": "application/merge-patch+json" } };

describe("namespaces", () => {
  test("are created, listed below their parent, and replaced by a write", async () => {
    const { body } = await scene.write("sys/namespaces/ops", { custom_metadata: { a: "b" } });
    const expected = { custom_metadata: { a: "b" }, path: "ops/", tainted: false, locked: false };
    expect(body.data).toMatchObject({ ...expected, id: expect.any(String), uuid: expect.any(String) });
    expect((await scene.write("sys/namespaces/web", {}, { namespace: "ops" })).body.data).toMatchObject({
      path: "ops/web/",
    });
    expect((await scene.send("LIST", "sys/namespaces", undefined, { namespace: "ops" })).body.data).toEqual({
      keys: ["web/"],
      key_info: { "web/": expect.objectContaining({ path: "ops/web/" }) },
    });
    expect((await scene.send("LIST", "sys/namespaces")).body.data).toMatchObject({ keys: ["ops/", "team/"] });
    await scene.write("sys/namespaces/ops", {});
    expect((await scene.read("sys/namespaces/ops")).body.data).toMatchObject({ custom_metadata: {} });
    expect(await scene.read("sys/namespaces/none")).toMatchObject(NOT_FOUND);
  });

  test("are changed by a merge patch, in which null removes a key", async () => {
    await scene.write("sys/namespaces/ops", { custom_metadata: { a: "b", c: "d" } });
    const patch = { custom_metadata: { a: null, e: "f" } };
    const patched = await scene.send("PATCH", "sys/namespaces/ops", patch, MERGE);
    expect(patched.body.data).toMatchObject({ custom_metadata: { c: "d", e: "f" } });
    expect(await scene.send("PATCH", "sys/namespaces/none", patch, MERGE)).toMatchObject(
      error(400, "namespace not found"),
    );
    expect(await scene.send("PATCH", "sys/namespaces/ops", patch)).toMatchObject(
      error(415, "PATCH requires Content-Type of application/merge-patch+json"),
    );
    expect(
      await scene.send("PATCH", "sys/namespaces/ops", { custom_metadata: { a: 1 } }, MERGE),
    ).toMatchObject(error(400, "string or null"));
  });

  test("are deleted in the background, and not while they contain others", async () => {
    const scene = new Scene({ namespaceDeletionMs: 2000 });
    expect(await scene.send("DELETE", "sys/namespaces/team")).toMatchObject(
      error(400, 'cannot delete namespace ("team/") containing child namespaces'),
    );
    await scene.write("sys/namespaces/ops", {});
    expect((await scene.send("DELETE", "sys/namespaces/ops")).body.data).toEqual({ status: "in-progress" });
    expect((await scene.read("sys/namespaces/ops")).body.data).toMatchObject({ tainted: true });
    expect(await scene.write("sys/namespaces/ops", {})).toMatchObject(error(400, "currently tainted"));
    scene.pass(2);
    expect(await scene.read("sys/namespaces/ops")).toMatchObject(NOT_FOUND);
    expect((await scene.send("DELETE", "sys/namespaces/ops")).body).toMatchObject({
      data: null,
      warnings: ["requested namespace does not exist"],
    });
  });

  test.each([
    ["sys", "reserved path"],
    ["a%20b", "space characters"],
    ["a+b", "wildcard characters"],
    ["a/b", "cannot contain /"],
  ])("cannot have the name %s", async (name, message) => {
    expect(await scene.write(`sys/namespaces/${name}`, {})).toMatchObject(error(400, message));
  });

  test("have metadata that consists of strings", async () => {
    expect(await scene.write("sys/namespaces/ops", { custom_metadata: { a: 1 } })).toMatchObject(
      error(400, "values must be strings"),
    );
    expect(await scene.write("sys/namespaces/ops", { custom_metadata: "x" })).toMatchObject(
      error(400, "Field validation failed"),
    );
  });
});
