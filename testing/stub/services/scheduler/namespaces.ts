import { invalid, notFound, permissionError, serverError } from "./errors";
import { descriptionErrors, NAME, type Namespace, namespaceShape, stored, withPrefix } from "./objects";
import { type Endpoint, type Operation, type Outcome, readBody } from "./operation";
import { errorsText } from "./validation/errors";
import type { World } from "./world";

/** `/v1/namespaces` and `/v1/namespace`, from Nomad's API documentation and the source of Nomad 2.0.5. */
export const namespaceEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/namespaces", section: "API: namespaces", handle: listNamespaces },
  { method: "GET", path: "/namespace/:name", section: "API: namespaces", handle: readNamespace },
  ...(["POST", "PUT"] as const).flatMap((method): readonly Endpoint[] => [
    { method, path: "/namespace", section: "API: namespaces", handle: writeNamespace },
    { method, path: "/namespace/:name", section: "API: namespaces", handle: writeNamespace },
  ]),
  { method: "DELETE", path: "/namespace/:name", section: "API: namespaces", handle: deleteNamespace },
];

function listNamespaces({ world, request, caller }: Operation): Outcome {
  const body = withPrefix(request, world.namespaces.values(), "Name").filter(({ Name }) => caller.sees(Name));
  return { body, index: world.indexOf("namespaces") };
}

function readNamespace({ world, request, caller }: Operation): Outcome {
  const name = request.params.name ?? "";
  if (!caller.sees(name)) throw permissionError();
  const found = world.namespaces.get(name);
  if (found === undefined) throw notFound("Namespace not found", world.indexOf("namespaces"));
  return { body: found, index: found.ModifyIndex };
}

/** Replaces the complete namespace. There is no check-and-set. */
function writeNamespace(operation: Operation): Outcome {
  const { world, request, caller, switches } = operation;
  const given = readBody(operation, "Namespace", namespaceShape);
  const { Name: name = "" } = given;
  if (request.params.name !== undefined && request.params.name !== name)
    throw invalid("Namespace name does not match request path");
  if (!caller.isManagement) throw permissionError();
  const errors = [
    ...(NAME.test(name) ? [] : [`invalid name "${name}". Must match regex ^[a-zA-Z0-9-]{1,128}$`]),
    ...descriptionErrors(given.Description),
    ...(switches.enterprise
      ? []
      : [
          ...(given.NodePoolConfiguration
            ? ["invalid node pool configuration: Node Pools Governance is unlicensed."]
            : []),
          ...(given.VaultConfiguration
            ? ["invalid vault configuration: Multi-Cluster Vault is unlicensed."]
            : []),
          ...(given.ConsulConfiguration
            ? ["invalid consul configuration: Multi-Cluster Consul is unlicensed."]
            : []),
        ]),
  ];
  const { Quota: quota = "" } = given;
  if (errors.length > 0) throw serverError(`Invalid namespace "${name}": ${errorsText(errors)}`);
  if (quota !== "" && !switches.enterprise)
    throw serverError(`namespace "${name}" using non-existent quota "${quota}"`);
  const before = world.namespaces.get(name);
  const index = world.write("namespaces");
  world.namespaces.set(name, stored(namespaceShape.fill(given), before, index));
  return { body: undefined, index };
}

function deleteNamespace({ world, request, caller, region }: Operation): Outcome {
  const name = request.params.name ?? "";
  if (!caller.isManagement) throw permissionError();
  if (name === "default") throw serverError("can not delete default namespace");
  const found = world.namespaces.get(name);
  if (found === undefined) throw serverError("namespace not found");
  const errors = reasonsToKeep(world, found).map((what) => `namespace "${name}" has ${what}: [${region}]`);
  if (errors.length > 0) throw serverError(errorsText(errors));
  world.namespaces.delete(name);
  const index = world.write("namespaces");
  return { body: undefined, index };
}

/** Everything in a namespace that must end before its delete. */
function reasonsToKeep(world: World, { Name, Quota }: Namespace): readonly string[] {
  const isIn = ({ Namespace }: { readonly Namespace: string }) => Namespace === Name;
  const isRunning = ({ ClientStatus }: { readonly ClientStatus: string }) =>
    ClientStatus === "pending" || ClientStatus === "running";
  const isUnfinished = ({ Status }: { readonly Status: string }) => Status !== "dead";
  return [
    ...([...world.jobs.values()].filter(isIn).some(isUnfinished) ? ["non-terminal jobs in regions"] : []),
    ...([...world.allocations.values()].filter(isIn).some(isRunning)
      ? ["non-terminal allocations in regions"]
      : []),
    ...([...world.variables.values()].some(isIn) ? ["variables associated with it in regions"] : []),
    ...(Quota === "" ? [] : ["quotas associated with it"]),
  ];
}
