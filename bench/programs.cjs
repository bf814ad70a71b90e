// The three programs that are compared: our resources, a provider that does nothing, and one that makes the same
// requests with bare undici. All of them write the same inputs and declare the same properties, each of which costs
// the engine's SDK an output.
const pulumi = require("@pulumi/pulumi");
const quarterdeck = require("pulumi-quarterdeck");
const schema = require("../schema.json");

/** What there is of each type, in a thousand. */
const SHARES = {
  Workspace: 0.2,
  Job: 0.2,
  QueueRole: 0.2,
  MfaMethod: 0.1,
  LoginEnforcement: 0.1,
  ConfigEntry: 0.2,
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
  QueueRole: quarterdeck.secrets.QueueRole,
  MfaMethod: quarterdeck.secrets.MfaMethod,
  LoginEnforcement: quarterdeck.secrets.LoginEnforcement,
  ConfigEntry: quarterdeck.mesh.ConfigEntry,
};

/** A resource whose provider is one of this folder's files. */
class Plain extends pulumi.CustomResource {
  constructor(file, type, name, inputs) {
    const path = require.resolve(`./${file}.cjs`);
    const provider = `exports.handler=()=>require(${JSON.stringify(path)})(${JSON.stringify(type)})`;
    super(`pulumi-nodejs:dynamic:${type}`, name, { ...placesOf(type), ...inputs, __provider: provider });
  }
}

function placesOf(type) {
  const [, { properties }] = Object.entries(schema.resources).find(([token]) => token.endsWith(`:${type}`));
  return Object.fromEntries(Object.keys(properties).map((property) => [property, undefined]));
}

function program(count, make) {
  return async () => {
    const methods = [];
    for (const [type, share] of Object.entries(SHARES)) {
      for (let n = 0; n < count * share; n++) {
        const inputs = inputsOf[type](n);
        if (type === "LoginEnforcement") inputs.mfaMethodIds = [methods[n].id];
        const made = make(type, `${type}-${n}`, inputs);
        if (type === "MfaMethod") methods.push(made);
      }
    }
  };
}

/** Named as they stand in the report. */
exports.programs = (count) => ({
  quarterdeck: program(count, (type, name, inputs) => new classes[type](name, inputs)),
  "bare undici": program(count, (type, name, inputs) => asPlain("bare", type, name, inputs)),
  "nothing at all": program(count, (type, name, inputs) => asPlain("nothing", type, name, inputs)),
});

function asPlain(file, type, name, inputs) {
  return new Plain(file, type, name, inputs);
}
