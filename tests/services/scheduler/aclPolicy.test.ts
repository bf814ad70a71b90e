import aclPolicy from "../../../provider/services/scheduler/aclPolicy";
import { changedPaths, expectNoChanges } from "../expectations";
import { scene } from "./scene";

const AT = "/v1/acl/policy/app";
const rules = (policy: string) => `namespace "default" {\n  policy = "${policy}"\n}\n`;
const program = { name: "app", rules: rules("read") };

describe("Nomad ACL policy", () => {
  test("is not overwritten if someone else created it first", async () => {
    const { resource, readServer, theirs } = await scene(aclPolicy);
    await theirs(AT, { Name: "app", Rules: rules("write") });
    await expect(resource.create(program)).rejects.toThrow('Nomad ACL policy "app" already exists');
    expect(await readServer(AT)).toMatchObject({ Rules: rules("write") });
  });

  test("is not written if someone else changed its rules since the last read", async () => {
    const { resource, readServer, changeAsOther } = await scene(aclPolicy);
    await resource.create(program);
    await changeAsOther(AT, "Rules", rules("write"));
    await expect(resource.update({ ...program, rules: rules("deny") })).rejects.toThrow(/conflict/);
    expect(await readServer(AT)).toMatchObject({ Rules: rules("write") });
  });

  test("keeps another user's job and description at an update, although a write replaces the policy", async () => {
    const { resource, readServer, theirs, written } = await scene(aclPolicy);
    await resource.create(program);
    const others = { Description: "theirs", JobACL: { Namespace: "default", JobID: "web" } };
    await theirs(AT, { Name: "app", Rules: rules("read"), ...others });
    await resource.update({ ...program, rules: rules("deny") });
    expect(await readServer(AT)).toMatchObject({ ...others, Rules: rules("deny") });
    expect(written().at(-1)).not.toHaveProperty("RulesJSON");
  });

  test("belongs to a job, and loses it once the program drops it", async () => {
    const { resource, readServer } = await scene(aclPolicy);
    const ours = { ...program, jobAcl: { namespace: "default", jobId: "web", group: "front" } };
    await resource.create(ours);
    expect(await readServer(AT)).toMatchObject({
      JobACL: { Namespace: "default", JobID: "web", Group: "front", Task: "" },
    });
    await expectNoChanges(resource, ours);
    expect(changedPaths(resource, program)).not.toEqual([]);
    await resource.up(program);
    expect(await readServer(AT)).toMatchObject({ JobACL: null });
  });

  test("is rejected with Nomad's own message if ACLs are disabled", async () => {
    const { resource } = await scene(aclPolicy, { acl: false });
    await expect(resource.create(program)).rejects.toThrow("ACL support disabled");
  });

  test("is rejected with Nomad's own message if its rules are not valid", async () => {
    const { resource } = await scene(aclPolicy);
    await expect(resource.create({ ...program, rules: "namespace" })).rejects.toThrow(
      /failed to parse rules/,
    );
  });

  test("is only gone if Nomad itself says so", async () => {
    const { resource, world, deleteAsOther } = await scene(aclPolicy);
    await resource.create(program);
    world.transformResponse = (_, answer) => ({ ...answer, status: 404, text: "Not Found", json: undefined });
    await expect(resource.refresh()).rejects.toThrow("404");
    world.transformResponse = (_, answer) => answer;
    await deleteAsOther(AT);
    expect(await resource.refresh()).toBe(false);
  });

  test("has problems in the preview for a name that Nomad rejects or cannot read", async () => {
    const { problems } = await scene(aclPolicy);
    expect(problems({ ...program, name: "self" })).toEqual([expect.stringContaining("must not be self")]);
    expect(problems({ ...program, name: "a.b" })).toEqual([expect.stringContaining("letters, digits and -")]);
  });

  test("has a problem in the preview for a group without its job, and a task without its group", async () => {
    const { resource, problems } = await scene(aclPolicy);
    const of = (more: { [name: string]: string }) => ({
      ...program,
      jobAcl: { namespace: "default", ...more },
    });
    expect(problems(of({ group: "front" }))).toEqual([
      expect.stringMatching(/^jobAcl\.jobId: .*is required/),
    ]);
    await expect(resource.create(of({ group: "front" }))).rejects.toThrow("job ID must be set to set group");
    expect(problems(of({ jobId: "web", task: "web" }))).toEqual([
      expect.stringMatching(/^jobAcl\.group: .*is required/),
    ]);
    expect(problems(of({ jobId: "web", group: "front", task: "web" }))).toEqual([]);
  });

  test("is listed by its name", async () => {
    const { resource, listed } = await scene(aclPolicy);
    await resource.create(program);
    expect(await listed()).toEqual([expect.objectContaining({ id: "app", name: "app" })]);
  });
});
