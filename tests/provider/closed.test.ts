import { z } from "zod";
import { catalog } from "../../provider/catalog";
import { fieldsOf, innerSchema } from "../../provider/core/language/fields";
import { isWritable } from "../../provider/core/language/role";

/** Where an input takes whatever a program writes; beside each stands why. Everything else is closed. */
const OPEN = [
  "mesh:ConfigEntry spec.*",
  "mesh:ProxyDefaults spec.config.*",
  "mesh:ProxyDefaults spec.envoyExtensions.*.arguments.*",
  "mesh:ServiceDefaults spec.envoyExtensions.*.arguments.*",
  "scheduler:Job json.*",
  "scheduler:Job spec.taskGroups.*.scaling.policy.*",
  "scheduler:Job spec.taskGroups.*.services.*.connect.gateway.proxy.config.*",
  "scheduler:Job spec.taskGroups.*.services.*.connect.sidecarService.proxy.config.*",
  "scheduler:Job spec.taskGroups.*.services.*.connect.sidecarService.proxy.upstreams.*.config.*",
  "scheduler:Job spec.taskGroups.*.services.*.connect.sidecarTask.config.*",
  "scheduler:Job spec.taskGroups.*.tasks.*.config.*",
  "scheduler:Job spec.taskGroups.*.tasks.*.scalingPolicies.*.policy.*",
  "scheduler:Job spec.taskGroups.*.tasks.*.secretBlocks.*.config.*",
  "scheduler:Job spec.taskGroups.*.tasks.*.services.*.connect.gateway.proxy.config.*",
  "scheduler:Job spec.taskGroups.*.tasks.*.services.*.connect.sidecarService.proxy.config.*",
  "scheduler:Job spec.taskGroups.*.tasks.*.services.*.connect.sidecarService.proxy.upstreams.*.config.*",
  "scheduler:Job spec.taskGroups.*.tasks.*.services.*.connect.sidecarTask.config.*",
  "scheduler:Job variables.*",
  "secrets:CloudRole policy.*",
  "secrets:CloudRole policyDocument.*",
];

/** Every place below a schema that takes anything, and every object that lets unknown members through. */
function openIn(schema: z.ZodType, path: string): string[] {
  const inner = innerSchema(schema);
  // zod types what stands inside these as its core type; they hold full schemas.
  if (inner instanceof z.ZodArray) return openIn(inner.element as z.ZodType, `${path}.*`);
  if (inner instanceof z.ZodRecord) return openIn(inner.valueType as z.ZodType, `${path}.*`);
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((part) => openIn(part as z.ZodType, path));
  if (inner instanceof z.ZodUnknown || inner instanceof z.ZodAny) return [path];
  if (!(inner instanceof z.ZodObject)) return [];
  const isStrict =
    !inner.safeParse({ "no such member": 1 }).success && inner.def.catchall instanceof z.ZodNever;
  return [
    ...(isStrict ? [] : [`${path} is not strict`]),
    ...Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, member]) =>
      openIn(member, `${path}.${name}`),
    ),
  ];
}

test("every input is closed but for those that nobody here can close", () => {
  const open = Object.entries(catalog).flatMap(([token, load]) =>
    fieldsOf(load())
      .filter(({ name, facts }) => isWritable(facts) && name !== "triggers")
      .flatMap(({ name, schema }) => openIn(schema, `${token} ${name}`)),
  );
  expect(open.sort()).toEqual([...OPEN].sort());
});
