// The programs that are compared: our resources on both bridges, a provider that does nothing on both, and one that makes
// the same requests with bare undici. All of them write the same inputs and declare the same properties, each of which
// costs the engine's SDK an output.
const pulumi = require("@pulumi/pulumi");
const quarterdeck = require("pulumi-quarterdeck");
const schema = require("../../schema.json");

/** What is measured: how much there is of each type, by the name in the report. */
const mixes = {
  "resources of every service": {
    Workspace: 0.2,
    Job: 0.2,
    QueueRole: 0.2,
    MfaMethod: 0.1,
    LoginEnforcement: 0.1,
    ConfigEntry: 0.2,
  },
  "jobs, each a typed spec": { TypedJob: 1 },
};

const inputsOf = {
  Workspace: (n) => ({ name: `workspace-${n}`, description: `number ${n}`, autoApply: true }),
  Job: (n) => ({
    json: {
      ID: `job-${n}`,
      TaskGroups: [
        {
          Name: "main",
          Count: 2,
          Tasks: [{ Name: "server", Driver: "docker", Config: { image: `image:${n}` } }],
        },
      ],
    },
    purge: true,
  }),
  TypedJob: (n) => ({
    spec: {
      id: `job-${n}`,
      taskGroups: [
        {
          name: "main",
          count: 2,
          tasks: [{ name: "server", driver: "docker", config: { image: `image:${n}` } }],
        },
      ],
    },
    purge: true,
  }),
  QueueRole: (n) => ({ name: `role-${n}`, tags: "monitoring", vhosts: { "/": { read: ".*" } } }),
  MfaMethod: (n) => ({ methodName: `method-${n}`, orgName: "acme", apiToken: `token-${n}` }),
  LoginEnforcement: (n) => ({
    name: `enforcement-${n}`,
    mfaMethodIds: ["{method}"],
    authMethodTypes: ["userpass"],
  }),
  ConfigEntry: (n) => ({ kind: "service-defaults", name: `service-${n}`, spec: { Protocol: "http" } }),
};

const classes = {
  Workspace: quarterdeck.workspaces.Workspace,
  Job: quarterdeck.scheduler.Job,
  TypedJob: quarterdeck.scheduler.Job,
  QueueRole: quarterdeck.secrets.QueueRole,
  MfaMethod: quarterdeck.secrets.MfaMethod,
  LoginEnforcement: quarterdeck.secrets.LoginEnforcement,
  ConfigEntry: quarterdeck.mesh.ConfigEntry,
};

/** A resource whose dynamic provider is one of this folder's files. */
class Plain extends pulumi.CustomResource {
  constructor(file, type, name, inputs) {
    const path = require.resolve(file);
    const provider = `exports.handler=()=>require(${JSON.stringify(path)})(${JSON.stringify(type)})`;
    super(`pulumi-nodejs:dynamic:${type}`, name, { ...placesOf(type), ...inputs, __provider: provider });
  }
}

/** A resource of the plugin that does nothing. */
class OfPlugin extends pulumi.CustomResource {
  constructor(type, name, inputs) {
    super(`nothing:index:${type}`, name, { ...placesOf(type), ...inputs });
  }
}

function placesOf(type) {
  const [, { properties }] = Object.entries(schema.resources).find(([token]) => token.endsWith(`:${type}`));
  return Object.fromEntries(Object.keys(properties).map((property) => [property, undefined]));
}

function program(count, shares, make) {
  return async () => {
    const methods = [];
    for (const [type, share] of Object.entries(shares)) {
      for (let n = 0; n < count * share; n++) {
        const own = {};
        if (type === "LoginEnforcement") own.mfaMethodIds = [methods[n].id];
        const made = make(type, n, own);
        if (type === "MfaMethod") methods.push(made);
      }
    }
  };
}

/** What only ours can write; a bare provider is given the same job as the service takes it. */
const PLAIN = { TypedJob: "Job" };

/** The programs of a mix, named as they stand in the report; `byPlugin` where ours is served by the plugin. */
function programs(count, mix) {
  const asServed = (make) => (type, n, own) => {
    const name = PLAIN[type] ?? type;
    return make(name, `${name}-${n}`, { ...inputsOf[name](n), ...own });
  };
  const of = (make) => program(count, mixes[mix], make);
  const ours = of((type, n, own) => new classes[type](`${type}-${n}`, { ...inputsOf[type](n), ...own }));
  const plain = (file) => of(asServed((type, name, inputs) => new Plain(file, type, name, inputs)));
  return {
    quarterdeck: { program: ours },
    "by the plugin": { program: ours, byPlugin: true },
    "bare undici": { program: plain("./bare.cjs") },
    "nothing at all": { program: plain("./nothing/dynamic.cjs") },
    "plugin of nothing": { program: of(asServed((...all) => new OfPlugin(...all))) },
  };
}

module.exports = { mixes: Object.keys(mixes), programs };
