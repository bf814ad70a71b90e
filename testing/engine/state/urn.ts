/** The type of every stack's root resource. */
export const STACK_TYPE = "pulumi:pulumi:Stack";

const PROVIDER_TYPE = "pulumi:providers:";

/** Parses `urn:pulumi:<stack>::<project>::<qualified type>::<name>`; the name may contain `::`. */
function parts(urn: string): { qualifiedType: string; name: string } {
  const [, , qualifiedType = "", ...name] = urn.split("::");
  return { qualifiedType, name: name.join("::") };
}

/** The types of all parents except the stack, and the resource's own type, joined by `$`. */
const qualifiedTypeOf = (urn: string): string => parts(urn).qualifiedType;

/** The resource's own type token. */
export const typeOf = (urn: string): string => qualifiedTypeOf(urn).split("$").at(-1) ?? "";

/** The resource's name in the program. */
export const nameOf = (urn: string): string => parts(urn).name;

/** The parts of a URN; `parent` is a URN, and is ignored if it is the stack. */
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

/** True for a provider's resource type. */
export const isProviderType = (type: string): boolean => type.startsWith(PROVIDER_TYPE);

/** The package of a type token: the part before its first colon, or a provider's package. */
export function packageOf(type: string): string {
  return isProviderType(type) ? type.slice(PROVIDER_TYPE.length) : (type.split(":")[0] ?? "");
}

export const providerTypeOf = (packageName: string): string => `${PROVIDER_TYPE}${packageName}`;

/** True for the default providers, which the engine creates itself and neither shows nor counts. */
export function isDefaultProvider(urn: string): boolean {
  return isProviderType(typeOf(urn)) && /^default(_|$)/.test(nameOf(urn));
}

/** A provider reference consists of its URN and its ID. */
export const providerReference = (urn: string, id: string): string => `${urn}::${id}`;

export function parseProviderReference(reference: string): { urn: string; id: string } {
  const end = reference.lastIndexOf("::");
  return { urn: reference.slice(0, end), id: reference.slice(end + 2) };
}
