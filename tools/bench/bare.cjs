// A dynamic provider that makes the requests that the benchmark needs, with bare undici, and nothing else: no comparison, no
// records, no checks of what came back.
const { Agent, request } = require("undici");

const dispatcher = new Agent({ connections: 64, pipelining: 1 });
const places = JSON.parse(process.env.QUARTERDECK_BENCH);

async function send(service, method, path, body) {
  const { address, headers } = places[service];
  const answer = await request(address + path, {
    dispatcher,
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300 && answer.statusCode !== 404) throw new Error(`${method} ${path}: ${text}`);
  return text === "" || answer.statusCode === 404 ? undefined : JSON.parse(text);
}

const secret = (path) => `/v1/${path}`;

/** The requests of each type: what a create, a read and a delete take. */
const types = {
  Workspace: {
    async create({ name, description, autoApply }) {
      const attributes = { name, description, "auto-apply": autoApply };
      const body = { data: { type: "workspaces", attributes } };
      return (await send("workspaces", "POST", "/api/v2/organizations/acme/workspaces", body)).data.id;
    },
    read: (id) => send("workspaces", "GET", `/api/v2/workspaces/${id}`),
    async delete(id) {
      await this.read(id);
      await send("workspaces", "POST", `/api/v2/workspaces/${id}/actions/safe-delete`);
    },
  },
  Job: {
    async create({ json }) {
      await send("scheduler", "POST", "/v1/jobs", { Job: json, EnforceIndex: true, JobModifyIndex: 0 });
      await this.read(json.ID);
      return json.ID;
    },
    read: (id) => send("scheduler", "GET", `/v1/job/${id}`),
    async delete(id) {
      await this.read(id);
      await send("scheduler", "DELETE", `/v1/job/${id}?purge=true`);
      await this.read(id);
    },
  },
  QueueRole: {
    async create({ name, tags, vhosts }) {
      await this.read(name);
      await send("secrets", "POST", secret(`rabbitmq/roles/${name}`), {
        tags,
        vhosts: JSON.stringify(vhosts),
      });
      await this.read(name);
      return name;
    },
    read: (id) => send("secrets", "GET", secret(`rabbitmq/roles/${id}`)),
    async delete(id) {
      await this.read(id);
      await send("secrets", "DELETE", secret(`rabbitmq/roles/${id}`));
    },
  },
  MfaMethod: {
    async create({ methodName, orgName, apiToken }) {
      await send("secrets", "GET", secret("identity/mfa/method/okta?list=true"));
      const body = { method_name: methodName, org_name: orgName, api_token: apiToken };
      const id = (await send("secrets", "POST", secret("identity/mfa/method/okta"), body)).data.method_id;
      await this.read(id);
      return id;
    },
    read: (id) => send("secrets", "GET", secret(`identity/mfa/method/okta/${id}`)),
    async delete(id) {
      await this.read(id);
      await send("secrets", "DELETE", secret(`identity/mfa/method/okta/${id}`));
    },
  },
  LoginEnforcement: {
    async create({ name, mfaMethodIds, authMethodTypes }) {
      await this.read(name);
      const body = { mfa_method_ids: mfaMethodIds, auth_method_types: authMethodTypes };
      await send("secrets", "POST", secret(`identity/mfa/login-enforcement/${name}`), body);
      await this.read(name);
      return name;
    },
    read: (id) => send("secrets", "GET", secret(`identity/mfa/login-enforcement/${id}`)),
    async delete(id) {
      await this.read(id);
      await send("secrets", "DELETE", secret(`identity/mfa/login-enforcement/${id}`));
    },
  },
  ConfigEntry: {
    async create({ kind, name, spec }) {
      await this.read(name);
      await send("mesh", "PUT", "/v1/config?cas=0", { Kind: kind, Name: name, ...spec });
      await this.read(name);
      return name;
    },
    read: (id) => send("mesh", "GET", `/v1/config/service-defaults/${id}`),
    async delete(id) {
      await send("mesh", "DELETE", `/v1/config/service-defaults/${id}`);
      await this.read(id);
    },
  },
};

module.exports = (type) => ({
  check: async (_olds, inputs) => ({ inputs, failures: [] }),
  diff: async () => ({ changes: false }),
  async create(inputs) {
    const id = await types[type].create(inputs);
    return { id, outs: { ...inputs, methodId: id } };
  },
  async read(id, props) {
    await types[type].read(id);
    return { id, props };
  },
  update: async (_id, _olds, news) => ({ outs: news }),
  delete: (id) => types[type].delete(id),
});
