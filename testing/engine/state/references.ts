import type { ResourceState } from "./resource";
import { isStack, makeUrn, nameOf, parseProviderReference, providerReference, typeOf } from "./urn";

/**
 * Replaces references to old URNs with the current ones, because the state never contains an alias. Unaffected resources
 * stay the same objects.
 */
export function withCurrentReferences(resources: readonly ResourceState[]): readonly ResourceState[] {
  if (!resources.some((state) => state.aliases?.length)) return resources;
  const current = new Map<string, string>();
  for (const state of resources) {
    for (const alias of state.aliases ?? []) current.set(alias, state.urn);
    const parent = state.parent === undefined ? undefined : current.get(state.parent);
    if (parent !== undefined && !isStack(parent) && !current.has(state.urn)) {
      const [stack = "", project = ""] = state.urn.replace("urn:pulumi:", "").split("::");
      const moved = makeUrn({ stack, project, parent, type: typeOf(state.urn), name: nameOf(state.urn) });
      if (moved !== state.urn) current.set(state.urn, moved);
    }
  }
  return resources.map((state) => follow(state, current));
}

function follow(state: ResourceState, current: ReadonlyMap<string, string>): ResourceState {
  const fix = (urn: string) => current.get(urn) ?? urn;
  const concerned =
    state.aliases !== undefined ||
    [...allReferences(state), state.urn].some((urn) => current.has(urn)) ||
    (state.provider !== undefined && current.has(parseProviderReference(state.provider).urn));
  if (!concerned) return state;
  const { aliases: _, ...rest } = state;
  return {
    ...rest,
    urn: fix(state.urn),
    ...(state.parent !== undefined && { parent: fix(state.parent) }),
    ...(state.provider !== undefined && { provider: fixProvider(state.provider, fix) }),
    ...(state.deletedWith !== undefined && { deletedWith: fix(state.deletedWith) }),
    ...(state.dependencies && { dependencies: state.dependencies.map(fix) }),
    ...(state.propertyDependencies && {
      propertyDependencies: Object.fromEntries(
        Object.entries(state.propertyDependencies).map(([name, urns]) => [name, urns.map(fix)]),
      ),
    }),
  };
}

/** All dependencies of a resource except its provider. */
function allReferences(state: ResourceState): string[] {
  return [
    ...(state.parent === undefined ? [] : [state.parent]),
    ...(state.dependencies ?? []),
    ...Object.values(state.propertyDependencies ?? {}).flat(),
    ...(state.deletedWith === undefined ? [] : [state.deletedWith]),
  ];
}

/** All dependencies of a resource. */
export function needsOf(state: ResourceState): string[] {
  const references = allReferences(state);
  return state.provider === undefined
    ? references
    : [...references, parseProviderReference(state.provider).urn];
}

/** All dependencies of a resource except its parent. */
export function needsBesideParent({ parent: _, ...state }: ResourceState): string[] {
  return needsOf(state);
}

function fixProvider(reference: string, fix: (urn: string) => string): string {
  const { urn, id } = parseProviderReference(reference);
  return providerReference(fix(urn), id);
}

/** Removes references to resources that no longer exist; empty lists are removed too. */
export function withoutGone(state: ResourceState, stands: (urn: string) => boolean): ResourceState {
  const { parent, deletedWith, dependencies = [], propertyDependencies = {}, ...rest } = state;
  const needed = dependencies.filter(stands);
  const perProperty = Object.entries(propertyDependencies)
    .map(([name, urns]) => [name, urns.filter(stands)] as const)
    .filter(([, urns]) => urns.length > 0);
  return {
    ...rest,
    ...(parent !== undefined && stands(parent) && { parent }),
    ...(deletedWith !== undefined && stands(deletedWith) && { deletedWith }),
    ...(needed.length > 0 && { dependencies: needed }),
    ...(perProperty.length > 0 && { propertyDependencies: Object.fromEntries(perProperty) }),
  };
}
