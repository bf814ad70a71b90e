/** The root of every stack. */
export const STACK_TYPE = "pulumi:pulumi:Stack";

const PROVIDER_TYPE = "pulumi:providers:";

/** A URN is `urn:pulumi:<stack>::<project>::<qualified type>::<name>`; the name may contain `::` itself. */
function parts(urn: string): { qualifiedType: string; name: string } {
  const [, , qualifiedType = "", ...name] = urn.split("::");
  return { qualifiedType, name: name.join("::") };
}

/** The types of all parents but the stack, joined by `$`, and the resource's own at the end. */
const qualifiedTypeOf = (urn: string): string => parts(urn).qualifiedType;

/** The resource's own type token. */
export const typeOf = (urn: string): string => qualifiedTypeOf(urn).split("$").at(-1) ?? "";

/** The name that the program gave the resource. */
export const nameOf = (urn: string): string => parts(urn).name;

/** What a URN is made of; `parent` is a URN, and counts only where it is not the stack itself. */
interface UrnParts {
  readonly stack: string;
  readonly project: string;
  readonly parent?: string | undefined;
  readonly type: string;
  readonly name: string;
}

export function makeUrn({ stack, project, parent, type, name }: UrnParts): string {
  const parentType = parent ? qualifiedTypeOf(parent) : "";
  const prefix = parentType === "" || parentType === STACK_TYPE ? "" : `${parentType}$`;
  return `urn:pulumi:${stack}::${project}::${prefix}${type}::${name}`;
}

export const isStack = (urn: string): boolean => qualifiedTypeOf(urn) === STACK_TYPE;

/** True for the type of a resource that is a provider. */
export const isProviderType = (type: string): boolean => type.startsWith(PROVIDER_TYPE);

/** The package whose plugin serves a type token: the part before its first colon, or a provider's own. */
export function packageOf(type: string): string {
  return isProviderType(type) ? type.slice(PROVIDER_TYPE.length) : (type.split(":")[0] ?? "");
}

export const providerTypeOf = (packageName: string): string => `${PROVIDER_TYPE}${packageName}`;

/** True for the providers that the engine makes by itself, which it keeps out of what is shown and counted. */
export function isDefaultProvider(urn: string): boolean {
  return isProviderType(typeOf(urn)) && /^default(_|$)/.test(nameOf(urn));
}

/** A reference to a provider is its URN and its id. */
export const providerReference = (urn: string, id: string): string => `${urn}::${id}`;

export function parseProviderReference(reference: string): { urn: string; id: string } {
  const end = reference.lastIndexOf("::");
  return { urn: reference.slice(0, end), id: reference.slice(end + 2) };
}
