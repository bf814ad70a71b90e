import { z } from "zod";
import { catalog } from "../../provider/catalog";
import { fieldsOf, innerSchema } from "../../provider/core/language/fields";
import { isWritable } from "../../provider/core/language/role";

/** The inputs that accept any value. All others are strict. */
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
  "secrets:KvSecret data.*",
];

/** The paths below a schema that accept any value, and the objects that accept unknown members. */
function openIn(schema: z.ZodType, path: string): string[] {
  const inner = innerSchema(schema);
  // zod declares the inner schemas of these with its core type, but they are complete schemas.
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

test("every input except those in OPEN has a strict schema", () => {
  const open = Object.entries(catalog).flatMap(([token, load]) =>
    fieldsOf(load())
      .filter(({ name, facts }) => isWritable(facts) && name !== "triggers")
      .flatMap(({ name, schema }) => openIn(schema, `${token} ${name}`)),
  );
  expect(open.sort()).toEqual([...OPEN].sort());
});
