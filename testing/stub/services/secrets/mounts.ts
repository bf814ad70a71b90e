import type { StubResponse } from "../../service";
import { invalid } from "./errors";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "./operation";
import type { EngineType } from "./settings";
import { newMount } from "./world";

/** The endpoints that mount an engine at any path and list the mounts. */
export const mountEndpoints: readonly Endpoint[] = [
  { path: "sys/mounts", read: list },
  { path: "sys/mounts/:first", write: enable, remove: disable },
  { path: "sys/mounts/:first/:second", write: enable, remove: disable },
  { path: "sys/mounts/:first/:second/:third", write: enable, remove: disable },
];

function list(operation: Operation): StubResponse {
  const { namespace, switches } = operation;
  return answer(
    operation,
    Object.fromEntries(
      [...namespace.mounts].map(([path, { type }]) => [
        `${path}/`,
        { type: TYPE_NAMES[switches.dialect][type] },
      ]),
    ),
  );
}

function enable(operation: Operation): StubResponse {
  const { fields, namespace, switches } = operation;
  const path = pathOf(operation);
  const name = fields.string("type") ?? "";
  const type = ENGINE_TYPES.find((candidate) => TYPE_NAMES[switches.dialect][candidate] === name);
  if (type === undefined) throw invalid(`plugin not found in the catalog: ${name}`);
  if (namespace.mounts.has(path)) throw invalid(`path is already in use at ${path}/`);
  namespace.mounts.set(path, newMount(type));
  return NO_CONTENT;
}

/** Disabling an absent mount succeeds. */
function disable(operation: Operation): StubResponse {
  operation.namespace.mounts.delete(pathOf(operation));
  return NO_CONTENT;
}

function pathOf({ params }: Operation): string {
  return ["first", "second", "third"].flatMap((name) => params[name] ?? []).join("/");
}

const ENGINE_TYPES: readonly EngineType[] = ["queue", "cloud", "directory"];

const TYPE_NAMES: Readonly<Record<"neutral" | "real", Readonly<Record<EngineType, string>>>> = {
  neutral: { queue: "msgq", cloud: "cloud", directory: "ldap" },
  real: { queue: "rabbitmq", cloud: "aws", directory: "ldap" },
};
