import { MARK } from "../provider/core/bridge/engineValues";

/** Properties by name, their secrets in plain. */
export type Properties = Readonly<Record<string, unknown>>;

/** A resource of a stack, as its exported state holds it. */
export interface StackResource {
  readonly urn: string;
  /** Its type, as the engine writes it. */
  readonly type: string;
  /** Its name in the program. */
  readonly name: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** The provider by which the engine reaches it: `<urn>::<id>`. */
  readonly provider?: string;
  /** The paths under the option `ignoreChanges`, where the engine keeps them. */
  readonly ignored: readonly string[];
  /** Whether the program only reads it. */
  readonly isExternal: boolean;
}

/** What cannot be read as an exported state, and what to do. It quotes nothing of the text. */
export class UnreadableState extends Error {
  override readonly name = "UnreadableState";
}

/**
 * The resources of an exported state that are live: what an engine has still to delete is none.
 * @throws UnreadableState for what is no export, and for one whose secrets are encrypted
 */
export function resourcesIn(text: string): StackResource[] {
  const { deployment } = objectOf(parsed(text));
  const { resources } = objectOf(deployment);
  if (deployment === undefined || (resources !== undefined && !Array.isArray(resources)))
    throw new UnreadableState("it is no exported state: pulumi stack export --show-secrets writes one");
  return (resources ?? []).flatMap((each: unknown) => {
    const resource = objectOf(each);
    const { urn, type, id, provider, ignoreChanges } = resource;
    if (typeof urn !== "string" || typeof type !== "string" || resource.delete === true) return [];
    return [
      {
        urn,
        type,
        name: urn.split("::").at(-1) ?? "",
        id: typeof id === "string" ? id : "",
        inputs: propertiesIn(type, resource.inputs),
        outputs: propertiesIn(type, resource.outputs),
        ...(typeof provider === "string" && provider !== "" && { provider }),
        ignored: Array.isArray(ignoreChanges) ? ignoreChanges.map(String) : [],
        isExternal: resource.external === true,
      },
    ];
  });
}

/** The properties of our own resources, and of the providers that serve them; nothing else of a state is looked at. */
function propertiesIn(type: string, properties: unknown): Properties {
  const isLookedAt = tokenOf(type) !== undefined || type.startsWith("pulumi:providers:");
  return isLookedAt ? objectOf(shown(properties)) : {};
}

/**
 * Our own name of a type, `scheduler:Job`, whichever bridge made the resource; undefined for a type that is none of this
 * package.
 */
export function tokenOf(type: string): string | undefined {
  return /^(?:pulumi-nodejs:dynamic\/quarterdeck\/|quarterdeck:)([a-z]+:[A-Za-z]+)$/.exec(type)?.[1];
}

/** The service of one of our types: `scheduler`. */
export function serviceOf(token: string): string {
  return token.split(":")[0] ?? "";
}

/**
 * A value without the marks of secrets.
 * @param isInside whether it is part of a secret: engines encrypt only the whole, so that what they call encrypted is plain
 */
function shown(value: unknown, isInside = false): unknown {
  if (Array.isArray(value)) return value.map((part) => shown(part, isInside));
  if (typeof value !== "object" || value === null) return value;
  if (MARK in value) {
    const { plaintext, ciphertext } = objectOf(value);
    const text = plaintext ?? (isInside ? ciphertext : undefined);
    if (typeof text === "string") return shown(JSON.parse(text), true);
    throw new UnreadableState("its secrets are encrypted: export it with pulumi stack export --show-secrets");
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shown(part, isInside)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableState("it is no JSON: pulumi stack export --show-secrets writes the state");
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
