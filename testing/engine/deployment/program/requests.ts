import type { Alias as ProtocolAlias } from "@pulumi/pulumi/proto/alias_pb";
import type {
  ReadResourceRequest,
  RegisterResourceRequest,
  ResourceInvokeRequest,
} from "@pulumi/pulumi/proto/resource_pb";
import { fromStruct } from "../wire/struct";
import type { Alias, Goal, Invocation, Position, ReadGoal } from "./goal";
import { refusePlugin, refuseUnserved } from "./unserved";

/** Parses a registration; unsupported options are refused by name. */
export function readGoal(request: RegisterResourceRequest, position: Position): Goal {
  refuseUnserved(request);
  const dependencies = request.getDependenciesList();
  const inputs = fromStruct(request.getObject());
  const perProperty: [string, readonly string[]][] = [];
  request.getPropertydependenciesMap().forEach((needed, name) => {
    perProperty.push([name, needed.getUrnsList()]);
  });
  const propertyDependencies =
    perProperty.length > 0
      ? Object.fromEntries(perProperty)
      : Object.fromEntries(Object.keys(inputs).map((name) => [name, dependencies]));
  const parent = request.getParent();
  const deletedWith = request.getDeletedwith();
  const importId = request.getImportid();
  const knowsOrder = request.getDeletebeforereplacedefined() || request.getDeletebeforereplace();
  return {
    type: request.getType(),
    name: request.getName(),
    custom: request.getCustom(),
    inputs,
    ...(parent && { parent }),
    ...providerOf(request),
    providers: Object.fromEntries(request.getProvidersMap().toArray()),
    ...(importId && { importId }),
    dependencies,
    propertyDependencies,
    aliases: [
      ...request.getAliasurnsList().map((urn) => ({ urn })),
      ...request.getAliasesList().map((alias) => readAlias(alias, request.getAliasspecs())),
    ],
    ...(request.hasProtect() && { protect: request.getProtect() }),
    ...(request.hasRetainondelete() && { retainOnDelete: request.getRetainondelete() }),
    ...(deletedWith && { deletedWith }),
    ...(knowsOrder && { deleteBeforeReplace: request.getDeletebeforereplace() }),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    customTimeouts: timeouts(request.getCustomtimeouts()),
    position,
  };
}

/** Parses a read. */
export function readReadGoal(request: ReadResourceRequest, position: Position): ReadGoal {
  refusePlugin(request.getPackageref(), request.getPlugindownloadurl());
  const parent = request.getParent();
  return {
    type: request.getType(),
    name: request.getName(),
    id: request.getId(),
    inputs: fromStruct(request.getProperties()),
    ...(parent && { parent }),
    ...providerOf(request),
    dependencies: request.getDependenciesList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    position,
  };
}

/** Parses a function call. */
export function readInvocation(request: ResourceInvokeRequest): Invocation {
  refusePlugin(request.getPackageref(), request.getPlugindownloadurl());
  const parent = request.getParent();
  return {
    token: request.getTok(),
    args: fromStruct(request.getArgs()),
    ...(parent && { parent }),
    ...providerOf(request),
  };
}

/** The explicit provider, or the version of the default provider. */
function providerOf(request: { getProvider(): string; getVersion(): string }) {
  const [provider, version] = [request.getProvider(), request.getVersion()];
  return { ...(provider && { provider }), ...(version && { version }) };
}

/** `proper` is false for older SDKs, in which the flags for "no parent" and "the same parent" are swapped. */
function readAlias(alias: ProtocolAlias, proper: boolean): Alias {
  const spec = alias.getSpec();
  if (!spec) return { urn: alias.getUrn() };
  const [name, type, stack, project] = [spec.getName(), spec.getType(), spec.getStack(), spec.getProject()];
  const parent = spec.hasParenturn() ? spec.getParenturn() : "";
  const noParent = proper ? spec.hasNoparent() && spec.getNoparent() : parent === "" && !spec.getNoparent();
  return {
    ...(name && { name }),
    ...(type && { type }),
    ...(stack && { stack }),
    ...(project && { project }),
    ...(parent && { parent }),
    ...(noParent && { noParent }),
  };
}

function timeouts(asked: RegisterResourceRequest.CustomTimeouts | undefined): Goal["customTimeouts"] {
  const [create, update, remove] = [asked?.getCreate(), asked?.getUpdate(), asked?.getDelete()];
  const read = asked?.getRead();
  return {
    ...(create && { create: seconds(create) }),
    ...(update && { update: seconds(update) }),
    ...(remove && { delete: seconds(remove) }),
    ...(read && { read: seconds(read) }),
  };
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

/** Parses a duration such as `1h2m3.5s`. */
function seconds(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([all]) => all).join("") !== text) {
    throw new Error(`unable to parse customTimeout Value ${text}`);
  }
  return parts.reduce((sum, [, amount, unit = "s"]) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
}
