import { wrongActions } from "../../../cli/import/terraform/checkPlan";
import { terraformPlan } from "../../../cli/import/terraform/plan";

const planOf = (rootModule: object, changes: readonly object[] = [], state?: object) =>
  terraformPlan(
    JSON.stringify({
      format_version: "1.2",
      configuration: { root_module: rootModule },
      resource_changes: changes,
      ...(state && { prior_state: { format_version: "1.0", values: { root_module: state } } }),
    }),
  );

const refers = (...references: readonly string[]) => ({ references });

test("the references of a plan are direct, through variables and outputs of modules", () => {
  const { references } = planOf({
    resources: [
      { address: "nomad_namespace.a", expressions: { name: { constant_value: "nomad_job.none" } } },
      {
        address: "nomad_job.b",
        expressions: {
          jobspec: refers("nomad_namespace.a.name", "nomad_namespace.a"),
          nested: [{ x: refers("data.tfe_project.p.id") }],
        },
        for_each_expression: refers("nomad_node_pool.pools", "each.key", "count.index", "path.module"),
      },
      { address: "nomad_job.c", expressions: { jobspec: refers("local.x", "nomad_namespace.a") } },
      {
        address: "nomad_job.d",
        expressions: { jobspec: refers('module.m["r"].out', 'module.m["r"]') },
        depends_on: ["nomad_job.b"],
      },
      { address: "nomad_job.e", expressions: { jobspec: refers("module.m") } },
    ],
    module_calls: {
      m: {
        expressions: {
          name: refers("nomad_namespace.a[0].name", "nomad_namespace.a[0]", "nomad_namespace.a"),
        },
        depends_on: ["nomad_job.b"],
        module: {
          outputs: {
            out: { expression: refers("nomad_variable.v.path", "nomad_variable.v") },
            other: { expression: refers("var.name") },
          },
          resources: [{ address: "nomad_variable.v", expressions: { path: refers("var.name") } }],
        },
      },
    },
  });
  expect(Object.fromEntries([...references].map(([name, found]) => [name, [...found].sort()]))).toEqual({
    "nomad_namespace.a": [],
    "nomad_job.b": ["data.tfe_project.p", "nomad_namespace.a", "nomad_node_pool.pools"],
    // nomad_job.c refers to a local value, whose expression is not in the plan.
    "nomad_job.d": ["module.m.nomad_variable.v", "nomad_job.b"],
    "nomad_job.e": ["module.m.nomad_variable.v", "nomad_namespace.a"],
    "module.m.nomad_variable.v": ["nomad_job.b", "nomad_namespace.a"],
  });
});

const change = (address: string, ...actions: readonly string[]) => ({
  address,
  mode: "managed",
  change: { actions },
});

test("a plan must forget each migrated object and delete nothing", () => {
  const migrated = new Set(["a_b.forgotten", "a_b.kept", "a_b.deleted", "a_b.gone"]);
  const plan = planOf({}, [
    change("a_b.forgotten", "forget"),
    change("a_b.kept", "no-op"),
    change("a_b.deleted", "delete"),
    change("a_b.replaced", "delete", "create"),
    change("a_b.other", "no-op"),
    change("a_b.created", "create"),
    { address: "data.a_b.c", mode: "data", change: { actions: ["read"] } },
  ]);
  expect(wrongActions(plan, migrated)).toEqual([
    { address: "a_b.kept", why: "the plan keeps the object in the state (no-op): remove its block" },
    {
      address: "a_b.deleted",
      why: "the plan deletes the object (delete): add its block of removed.tf, or run state-rm.sh",
    },
    { address: "a_b.replaced", why: "the plan deletes the object (delete, create)" },
  ]);
});

test("a plan of other resources only, or of a refresh only, does not forget the migrated objects", () => {
  const inState = (address: string) => ({
    address,
    mode: "managed",
    type: "a_b",
    name: "c",
    provider_name: "registry.terraform.io/hashicorp/nomad",
  });
  const state = {
    resources: [inState("a_b.root"), inState("a_b.other")],
    child_modules: [{ address: "module.m", resources: [inState("module.m.a_b.inner")] }],
  };
  const plan = planOf({}, [change("a_b.other", "no-op")], state);
  const why = "the object is in the state, and not in the plan: plan all resources";
  expect(wrongActions(plan, new Set(["a_b.root", "module.m.a_b.inner", "a_b.gone"]))).toEqual([
    { address: "a_b.root", why },
    { address: "module.m.a_b.inner", why },
  ]);
});

test("text that is not a plan is refused without a quotation", () => {
  for (const text of ["hush {", JSON.stringify({ format_version: "1.0", values: "hush" })]) {
    expect(() => terraformPlan(text)).toThrow("terraform show -json tfplan > plan.json");
    expect(() => terraformPlan(text)).not.toThrow("hush");
  }
});
