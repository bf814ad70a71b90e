import { MARK } from "../provider/core/bridge/engineValues";
import { namesIn, type StackNames } from "../provider/core/requests/userAgent";
import { elementsIn, type Span } from "./elements";

/** The names of the stack that resources are of. */
export function stackOf([first]: readonly Pick<StackResource, "urn">[]): StackNames {
  return namesIn(first?.urn ?? "");
}

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
 * The resources of an exported state that are live: what an engine has still to delete is none. Their properties are read
 * from the text whenever they are asked for, so that of a large state only what is looked at is in memory.
 * @param state its text, or that in UTF-8
 * @throws UnreadableState for what is no export, and for one whose secrets are encrypted
 */
export function resourcesIn(state: string | Uint8Array): StackResource[] {
  const json =
    typeof state === "string"
      ? Buffer.from(state)
      : Buffer.from(state.buffer, state.byteOffset, state.length);
  const elements = readable(() => elementsIn(json, ["deployment", "resources"]));
  const { deployment } = objectOf(parsed(elements?.rest ?? json.toString()));
  const { resources } = objectOf(deployment);
  if (deployment === undefined || (resources !== undefined && !Array.isArray(resources)))
    throw new UnreadableState("it is no exported state: pulumi stack export --show-secrets writes one");
  return (elements?.spans ?? []).flatMap((span) => {
    const resource = resourceAt(json, span);
    const { urn, type } = resource;
    if (typeof urn !== "string" || typeof type !== "string" || resource.delete === true) return [];
    return [new ResourceInText(urn, type, resource, () => resourceAt(json, span))];
  });
}

/** A resource whose properties stay in the text of its state until they are asked for, and are kept by who asked. */
class ResourceInText implements StackResource {
  readonly name: string;
  readonly id: string;
  readonly provider?: string;
  readonly ignored: readonly string[];
  readonly isExternal: boolean;

  constructor(
    readonly urn: string,
    readonly type: string,
    { id, provider, ignoreChanges, external, inputs, outputs }: Properties,
    private readonly again: () => Properties,
  ) {
    this.name = urn.split("::").at(-1) ?? "";
    this.id = typeof id === "string" ? id : "";
    if (typeof provider === "string" && provider !== "") this.provider = provider;
    this.ignored = Array.isArray(ignoreChanges) ? ignoreChanges.map(String) : [];
    this.isExternal = external === true;
    // Whatever is encrypted is told now, and not by the resource that happens to be looked at first.
    for (const properties of [inputs, outputs]) propertiesIn(type, properties);
  }

  get inputs(): Properties {
    return propertiesIn(this.type, this.again().inputs);
  }

  get outputs(): Properties {
    return propertiesIn(this.type, this.again().outputs);
  }
}

function resourceAt(json: Buffer, { start, end }: Span): Properties {
  return objectOf(parsed(json.toString("utf8", start, end)));
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
  return readable(() => JSON.parse(text));
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new UnreadableState("it is no JSON: pulumi stack export --show-secrets writes the state");
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
