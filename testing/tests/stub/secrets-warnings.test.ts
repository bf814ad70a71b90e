import { scene } from "./secrets-scene";

const IGNORED = "Endpoint ignored these unrecognized parameters";
const REPLACED =
  "Endpoint replaced the value of these parameters with the values captured from the endpoint's path";

describe("What the service warns of", () => {
  test("are parameters of a read that the endpoint does not know, in their order", async () => {
    await scene.write("msgq/roles/app", { tags: "monitoring" });
    const { body } = await scene.read("msgq/roles/app?zone=a&area=b");
    expect(body.warnings).toEqual([`${IGNORED}: [area zone]`]);
  });

  test("is not how a list is asked for", async () => {
    await scene.write("msgq/roles/app", { tags: "monitoring" });
    expect((await scene.read("msgq/roles?list=true")).body.warnings).toBeNull();
    expect((await scene.read("msgq/roles?list=true&limit=x")).body.warnings).toEqual([`${IGNORED}: [limit]`]);
  });

  test("are parameters that the path says, and those that it does not know, in an answer with a body", async () => {
    await scene.write("ldap/config", { binddn: "cn=admin", bindpass: "hush" });
    await scene.write("ldap/library/ops", { service_account_names: ["svc-1"], ttl: 3600 });
    const { body } = await scene.write("ldap/library/ops/check-out", { ttl: 60, name: "ops", until: "noon" });
    expect(body.warnings).toEqual([`${IGNORED}: [until]`, `${REPLACED}: [name]`]);
  });

  test("has no place in an answer without a body", async () => {
    const answer = await scene.write("msgq/roles/app", { tags: "monitoring", colour: "blue" });
    expect(answer).toMatchObject({ status: 204 });
  });
});
