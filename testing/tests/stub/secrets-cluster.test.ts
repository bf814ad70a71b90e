import { SecretsService } from "../../stub/services/secrets/service";
import { type Sent, send } from "./in-process";

const [active, standby] = ["active.invalid", "standby.invalid"];
const ROLE = "/v1/rabbitmq/roles/app";
const token = { "x-vault-token": "root", "content-type": "application/json" };

function clustered(namesStates: boolean) {
  const service = new SecretsService({
    switches: { dialect: "real", activeServer: `http://${active}`, namesStates },
    seed: { tokens: { root: {} } },
  });
  return (method: string, host: string, path: string, { headers = {}, ...sent }: Sent = {}) =>
    send(service, method, path, { ...sent, headers: { host, ...token, ...headers } });
}

test("every server says which one is active, whoever asks; only that one says that it is itself", async () => {
  const ask = clustered(false);
  const own = await ask("GET", active, "/v1/sys/leader", { headers: { "x-vault-token": "" } });
  expect(own.body).toMatchObject({ ha_enabled: true, is_self: true, leader_address: `http://${active}` });
  const other = await ask("GET", standby, "/v1/sys/leader");
  expect(other.body).toMatchObject({ ha_enabled: true, leader_address: `http://${active}` });
  expect(other.body).not.toHaveProperty("is_self");
});

test("where there is no cluster, that is said; by the specification's names nobody is asked", async () => {
  const alone = new SecretsService({ switches: { dialect: "real" }, seed: { tokens: { root: {} } } });
  expect((await send(alone, "GET", "/v1/sys/leader")).body).toMatchObject({ ha_enabled: false });
  const neutral = new SecretsService({ switches: { dialect: "neutral" }, seed: { tokens: { root: {} } } });
  const headers = { "x-secrets-token": "root" };
  expect((await send(neutral, "GET", "/v1/sys/leader", { headers })).status).toBe(404);
});

test("a standby answers by itself a write that changes nothing of what it knows", async () => {
  const ask = clustered(false);
  const path = "/v1/identity/mfa/method/okta";
  const body = { method_name: "corporate", org_name: "acme", api_token: "one" };
  const { method_id } = (await ask("POST", active, path, { body })).body.data;
  const change = { body: { ...body, org_name: "umbrella" } };
  // As a method that is not there.
  expect((await ask("POST", standby, `${path}/${method_id}`, change)).status).toBe(204);
  expect((await ask("DELETE", standby, `${path}/${method_id}`)).status).toBe(204);
  const twice = await ask("POST", standby, "/v1/rabbitmq/config/connection", { body: {} });
  expect(twice.status).toBe(400);
  expect((await ask("GET", active, `${path}/${method_id}`)).body.data.org_name).toBe("acme");
  await ask("POST", active, ROLE, { body: { tags: "monitoring" } });
  expect((await ask("POST", standby, `${path}/${method_id}`, change)).status).toBe(204);
  expect((await ask("GET", active, `${path}/${method_id}`)).body.data.org_name).toBe("umbrella");
});

test("a standby writes through the active server, and answers reads one write behind", async () => {
  const ask = clustered(false);
  await ask("POST", standby, ROLE, { body: { tags: "monitoring" } });
  expect((await ask("GET", active, ROLE)).body.data.tags).toBe("monitoring");
  expect((await ask("GET", standby, ROLE)).status).toBe(404);
  expect((await ask("LIST", standby, "/v1/rabbitmq/roles")).status).toBe(404);
  await ask("POST", active, ROLE, { body: { tags: "management" } });
  expect((await ask("GET", standby, ROLE)).body.data.tags).toBe("monitoring");
});

test("credentials are made by the active server, wherever they are asked for", async () => {
  const ask = clustered(false);
  await ask("POST", active, "/v1/rabbitmq/config/connection", {
    body: { connection_uri: "http://broker", username: "a", password: "b" },
  });
  await ask("POST", active, ROLE, { body: { tags: "monitoring" } });
  expect((await ask("GET", standby, "/v1/rabbitmq/creds/app")).status).toBe(200);
});

test("a server that names its states heeds a request that names one: it asks the active one, or says that it is behind", async () => {
  const ask = clustered(true);
  const { headers } = await ask("POST", standby, ROLE, { body: { tags: "monitoring" } });
  const state = headers["x-vault-index"] ?? "";
  expect(state).not.toBe("");
  expect((await ask("GET", standby, ROLE)).status).toBe(404);
  const behind = await ask("GET", standby, ROLE, { headers: { "x-vault-index": state } });
  expect(behind.status).toBe(412);
  expect(behind.body).toEqual({ errors: ["required index state not present"] });
  const forwarded = await ask("GET", standby, ROLE, {
    headers: { "x-vault-index": state, "x-vault-inconsistent": "forward-active-node" },
  });
  expect(forwarded.body.data.tags).toBe("monitoring");
  await ask("POST", active, ROLE, { body: { tags: "management" } });
  const caughtUp = await ask("GET", standby, ROLE, { headers: { "x-vault-index": state } });
  expect(caughtUp.body.data.tags).toBe("monitoring");
});
