import { Scene, scene, TOKENS } from "./scheduler-scene";

const AT = "/acl/policy/app";
const APP = { Name: "app", Rules: 'namespace "default" { policy = "read" }' };

describe("ACL policies of Nomad", () => {
  test("are written completely, without a body in the response, and listed without their rules", async () => {
    const { status, body } = await scene.send("POST", AT, { ...APP, JobACL: { Namespace: "default" } });
    expect({ status, body }).toEqual({ status: 200, body: undefined });
    expect((await scene.get(AT)).body).toMatchObject({
      ...APP,
      JobACL: { Namespace: "default", JobID: "", Group: "", Task: "" },
    });
    await scene.send("PUT", AT, APP);
    expect((await scene.get(AT)).body).toMatchObject({ JobACL: null });
    const { body: listed } = await scene.get("/acl/policies?prefix=a");
    expect(listed).toMatchObject([{ Name: "app", JobACL: null }]);
    expect(listed[0]).not.toHaveProperty("Rules");
  });

  test("have a valid name, valid rules and a complete job", async () => {
    for (const [sent, body] of [
      [{ ...APP, Name: "other" }, "ACL policy name does not match request path"],
      [{ ...APP, Rules: "namespace" }, "failed to parse rules"],
      [{ ...APP, Rules: "{}" }, "failed to parse rules: Invalid policy: {}"],
      [{ ...APP, JobACL: { JobID: "web" } }, "namespace must be set to set job ID"],
      [{ ...APP, JobACL: { Namespace: "a", Group: "web" } }, "job ID must be set to set group"],
      [{ ...APP, JobACL: { Namespace: "a", JobID: "b", Task: "web" } }, "group must be set to set task"],
    ] as const)
      expect(await scene.send("POST", AT, sent)).toMatchObject({
        status: 400,
        body: expect.stringContaining(body),
      });
    expect((await scene.send("POST", "/acl/policy/a.b", { ...APP, Name: "a.b" })).body).toContain(
      "invalid name 'a.b'",
    );
  });

  test("are deleted even if they are absent, and only management tokens may use them, with ACLs", async () => {
    await scene.send("POST", AT, APP);
    for (let times = 0; times < 2; times++) expect((await scene.send("DELETE", AT)).status).toBe(200);
    expect(await scene.get(AT)).toMatchObject({ status: 404, body: "ACL policy not found" });
    for (const method of ["GET", "POST", "DELETE"])
      expect((await scene.send(method, AT, APP, { as: TOKENS.reader })).status).toBe(403);
    const open = new Scene({ acl: false });
    expect(await open.send("POST", AT, APP)).toMatchObject({ status: 400, body: "ACL support disabled" });
  });
});
