import { SchedulerService } from "../../stub/services/scheduler/service";
import { SecretsService } from "../../stub/services/secrets/service";
import { send } from "./in-process";

/** How the products handle names in paths (docs/wire.md, "Names in paths"). */
describe("names in paths of Vault (OpenBao), dialect real", () => {
  const headers = { "x-vault-token": "root", "content-type": "application/json" };
  const service = async () => {
    const stub = new SecretsService({ seed: { tokens: { root: {} } }, switches: { dialect: "real" } });
    const body = { binddn: "cn=admin", bindpass: "hush" };
    expect((await send(stub, "POST", "/v1/ldap/config", { headers, body })).status).toBe(204);
    return stub;
  };
  const role = {
    creation_ldif: "dn: cn={{.Username}},dc=example\nobjectClass: person\n",
    deletion_ldif: "dn: cn={{.Username}},dc=example\nchangetype: delete\n",
  };

  test("an LDAP dynamic role is stored under its name as sent, but read and deleted in lower case", async () => {
    const stub = await service();
    await send(stub, "POST", "/v1/ldap/role/S2", { headers, body: role });
    expect((await send(stub, "LIST", "/v1/ldap/role", { headers })).body.data.keys).toEqual(["S2"]);
    expect((await send(stub, "GET", "/v1/ldap/role/S2", { headers })).status).toBe(404);
    expect((await send(stub, "DELETE", "/v1/ldap/role/S2", { headers })).status).toBe(204);
    expect((await send(stub, "LIST", "/v1/ldap/role", { headers })).body.data.keys).toEqual(["S2"]);
  });

  test("an LDAP static role and a library set are stored in lower case", async () => {
    const stub = await service();
    const own = { username: "svc", rotation_period: 3600, service_account_names: ["a"] };
    for (const [path, list] of [
      ["static-role/Db", "static-role"],
      ["library/Ops", "library"],
    ]) {
      expect((await send(stub, "POST", `/v1/ldap/${path}`, { headers, body: own })).status).toBe(204);
      expect((await send(stub, "GET", `/v1/ldap/${path}`, { headers })).status).toBe(200);
      const { body } = await send(stub, "LIST", `/v1/ldap/${list}`, { headers });
      expect(body.data.keys).toEqual([path?.split("/")[1]?.toLowerCase()]);
    }
  });

  test.each([
    "rabbitmq/roles/a%20b",
    "rabbitmq/roles/a@b",
    "aws/roles/a%25b",
    "ldap/role/%C3%A9",
    "rabbitmq/roles/a.",
  ])('GET /v1/%s returns 404 with "unsupported path"', async (path) => {
    const answered = await send(await service(), "GET", `/v1/${path}`, { headers });
    expect(answered.status).toBe(404);
    expect(answered.text).toContain("unsupported path");
  });

  test("the name of an AWS role can contain @", async () => {
    const answered = await send(await service(), "GET", "/v1/aws/roles/a@b", { headers });
    expect(answered.body).toEqual({ errors: [] });
  });
});

describe("job IDs in paths of Nomad, dialect real", () => {
  const headers = { "x-nomad-token": "m", "content-type": "application/json" };
  const Job = (ID: string) => ({
    ID,
    TaskGroups: [{ Name: "g", Tasks: [{ Name: "t", Driver: "raw_exec", Config: { command: "x" } }] }],
  });
  const service = async (id: string) => {
    const seed = { tokens: { m: { management: true } } };
    const stub = new SchedulerService({ seed, switches: { dialect: "real" }, random: () => 0.5 });
    expect((await send(stub, "POST", "/v1/jobs", { headers, body: { Job: Job(id) } })).status).toBe(200);
    return stub;
  };

  test("registers a job whose ID ends in /plan, but returns 405 when it is read or deleted", async () => {
    const stub = await service("ops/plan");
    expect((await send(stub, "GET", "/v1/job/ops%2Fplan", { headers })).status).toBe(405);
    expect((await send(stub, "DELETE", "/v1/job/ops%2Fplan?purge=true", { headers })).status).toBe(405);
    expect((await send(stub, "GET", "/v1/jobs", { headers })).body).toMatchObject([{ ID: "ops/plan" }]);
  });

  test("a read of a job ID that ends in /versions or /tag returns that sub-resource", async () => {
    const stub = await service("ops");
    const direct = await send(stub, "GET", "/v1/job/ops/versions", { headers });
    expect((await send(stub, "GET", "/v1/job/ops%2Fversions", { headers })).body).toEqual(direct.body);
    expect((await send(stub, "GET", "/v1/job/ops%2Ftag", { headers })).text).toContain("invalid job tag");
  });
});
