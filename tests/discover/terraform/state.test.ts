import { terraformState } from "../../../cli/import/terraform/state";
import { rawState } from "./states";

test("a raw state gives each instance its address, key, modules, provider alias and dependencies", () => {
  const { tool, objects } = terraformState(
    rawState(
      {
        at: "nomad_job.web",
        instances: [{ attributes: { id: "web" }, dependencies: ["nomad_namespace.apps"] }],
      },
      { at: "nomad_namespace.apps", alias: "east", instances: [{ attributes: { id: "apps" } }] },
      {
        at: "module.net.module.db.nomad_variable.one",
        module: 'module.net["a.b[0]"].module.db[3]',
        instances: [
          { index_key: "x/y", attributes: { id: "p@default" } },
          { index_key: 'quo"te', attributes: {} },
        ],
      },
      { at: "data.tfe_project.core", instances: [{ attributes: { id: "prj-1" } }] },
    ),
  );
  expect(tool).toBe("terraform");
  expect(objects).toMatchObject([
    {
      address: "nomad_job.web",
      resource: "nomad_job.web",
      mode: "managed",
      modules: [],
      dependencies: ["nomad_namespace.apps"],
    },
    { address: "nomad_namespace.apps", alias: "east", attributes: { id: "apps" } },
    {
      address: 'module.net["a.b[0]"].module.db[3].nomad_variable.one["x/y"]',
      resource: "module.net.module.db.nomad_variable.one",
      modules: [
        { name: "net", key: "a.b[0]" },
        { name: "db", key: 3 },
      ],
      key: "x/y",
    },
    { address: 'module.net["a.b[0]"].module.db[3].nomad_variable.one["quo\\"te"]' },
    { address: "data.tfe_project.core", resource: "data.tfe_project.core", mode: "data" },
  ]);
  expect(objects[0]).not.toHaveProperty("key");
  expect(objects[0]).not.toHaveProperty("alias");
});

test("tainted and deposed objects are not usable", () => {
  const { objects } = terraformState(
    rawState({
      at: "nomad_namespace.a",
      instances: [
        { status: "tainted", attributes: { id: "a" } },
        { deposed: "0a1b", attributes: { id: "b" } },
        { attributes: { id: "c" } },
      ],
    }),
  );
  expect(objects.map(({ unusable }) => unusable)).toEqual([
    "tainted: the next terraform apply replaces it",
    "deposed: the next terraform apply deletes it",
    undefined,
  ]);
});

test("a state of OpenTofu is recognized by its registry", () => {
  const state = rawState({
    at: "vault_mount.kv",
    registry: "registry.opentofu.org",
    instances: [{ attributes: {} }],
  });
  expect(terraformState(state).tool).toBe("opentofu");
});

test("the output of terraform show -json gives the same objects, without aliases", () => {
  const shown = {
    format_version: "1.0",
    terraform_version: "1.11.4",
    values: {
      root_module: {
        resources: [
          {
            address: 'nomad_namespace.apps["b"]',
            mode: "managed",
            type: "nomad_namespace",
            name: "apps",
            index: "b",
            provider_name: "registry.terraform.io/hashicorp/nomad",
            schema_version: 0,
            values: { id: "b" },
            sensitive_values: {},
            tainted: true,
          },
        ],
        child_modules: [
          {
            address: 'module.net["a"]',
            resources: [
              {
                address: 'module.net["a"].nomad_job.web',
                mode: "managed",
                type: "nomad_job",
                name: "web",
                provider_name: "registry.terraform.io/hashicorp/nomad",
                schema_version: 0,
                values: { id: "web" },
                depends_on: ["nomad_namespace.apps"],
              },
            ],
          },
        ],
      },
    },
  };
  expect(terraformState(JSON.stringify(shown)).objects).toMatchObject([
    {
      address: 'nomad_namespace.apps["b"]',
      resource: "nomad_namespace.apps",
      key: "b",
      unusable: expect.any(String),
    },
    {
      address: 'module.net["a"].nomad_job.web',
      resource: "module.net.nomad_job.web",
      modules: [{ name: "net", key: "a" }],
      dependencies: ["nomad_namespace.apps"],
    },
  ]);
  expect(terraformState(JSON.stringify({ format_version: "1.0" })).objects).toEqual([]);
});

test("the sensitive texts of a state are known, except values of variables that are not sensitive", () => {
  const at = (...names: readonly (string | number)[]) =>
    names.map((value, index) =>
      index === 0 ? { type: "get_attr", value } : { type: "index", value: { value, type: "string" } },
    );
  const { objects } = terraformState(
    rawState(
      {
        at: "consul_keys.app",
        instances: [
          {
            attributes: {
              key: [
                { path: "a", value: "hush" },
                { path: "b", value: "shown" },
              ],
              data_json: '{"x":["inner"]}',
            },
            sensitive_attributes: [at("key", 0), at("data_json"), at("missing", "x")],
          },
        ],
      },
      {
        at: "tfe_variable.v",
        instances: [false, true].map((sensitive) => ({
          attributes: { value: "info", sensitive },
          sensitive_attributes: [at("value")],
        })),
      },
    ),
  );
  expect(objects.map(({ sensitive }) => sensitive)).toEqual([
    ["a", "hush", '{"x":["inner"]}', "inner"],
    [],
    ["info"],
  ]);
  const shown = {
    format_version: "1.0",
    values: {
      root_module: {
        resources: [
          {
            address: "consul_keys.app",
            mode: "managed",
            type: "consul_keys",
            name: "app",
            provider_name: "registry.terraform.io/hashicorp/consul",
            values: { key: [{ path: "a", value: "hush" }], token: "t" },
            sensitive_values: { key: [{ value: true }], token: true },
          },
        ],
      },
    },
  };
  expect(terraformState(JSON.stringify(shown)).objects[0]?.sensitive).toEqual(["hush", "t"]);
});

test.each([
  ["text that is not JSON", "hush {", "not valid JSON"],
  [
    "a plan",
    JSON.stringify({ format_version: "1.2", planned_values: { root_module: "hush" } }),
    "a plan, not a state",
  ],
  ["a state of Terraform 0.11", JSON.stringify({ version: 3, modules: ["hush"] }), "neither a state"],
  [
    "a wrong attribute type",
    rawState({ at: "a_b.c", instances: [{ attributes: "hush" as never }] }),
    "neither a state",
  ],
])("%s is refused without a quotation", (_, text, message) => {
  expect(() => terraformState(text)).toThrow(message);
  expect(() => terraformState(text)).not.toThrow("hush");
});
