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

/** How an export tells a secret from a plain object. */
const MARK = "4dabf18193072939515e22adb298388d";

/** The resources of an exported state that are live: what an engine has still to delete is none. */
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
        // Most of a state is not ours, and nothing of it is looked at.
        get inputs() {
          return objectOf(shown(resource.inputs));
        },
        get outputs() {
          return objectOf(shown(resource.outputs));
        },
        ...(typeof provider === "string" && provider !== "" && { provider }),
        ignored: Array.isArray(ignoreChanges) ? ignoreChanges.map(String) : [],
        isExternal: resource.external === true,
      },
    ];
  });
}

/**
 * Our own name of a type, `scheduler:Job`, whichever bridge made the resource; undefined for a type that is none of this
 * package.
 */
export function tokenOf(type: string): string | undefined {
  return /^(?:pulumi-nodejs:dynamic\/quarterdeck\/|quarterdeck:)([a-z]+:[A-Za-z]+)$/.exec(type)?.[1];
}

/** A value without the marks of secrets. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  if (MARK in value) {
    const { plaintext } = objectOf(value);
    if (typeof plaintext === "string") return shown(JSON.parse(plaintext));
    throw new UnreadableState("its secrets are encrypted: export it with pulumi stack export --show-secrets");
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shown(part)]));
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
