import { MARK } from "../../provider/core/bridge/engineValues";
import { namesIn, type StackNames } from "../../provider/core/requests/userAgent";
import { type ByteRange, elementRanges } from "./elements";

/** The names of the stack that these resources belong to. */
export function stackOf([first]: readonly Pick<StackResource, "urn">[]): StackNames {
  return namesIn(first?.urn ?? "");
}

/** Properties by name, with secrets in plain text. */
export type Properties = Readonly<Record<string, unknown>>;

/** A resource of a stack from its exported state. */
export interface StackResource {
  readonly urn: string;
  /** The engine's type token. */
  readonly type: string;
  /** Its name in the program. */
  readonly name: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** The reference of its provider in the engine: `<urn>::<id>`. */
  readonly provider?: string;
  /** The paths of the option `ignoreChanges`, if the engine stores them. */
  readonly ignored: readonly string[];
  /** True if the program only reads the resource. */
  readonly isExternal: boolean;
}

/** The text is not a readable exported state; the message contains the remedy. It quotes nothing from the text. */
export class UnreadableState extends Error {
  override readonly name = "UnreadableState";
}

/**
 * The resources of an exported state, without those that the engine still has to delete. Properties are parsed from the text
 * on each access, so that only the properties in use are in memory.
 * @param state the text, as a string or in UTF-8
 * @throws UnreadableState if the text is not an export, or its secrets are encrypted
 */
export function resourcesIn(state: string | Uint8Array): StackResource[] {
  const json =
    typeof state === "string"
      ? Buffer.from(state)
      : Buffer.from(state.buffer, state.byteOffset, state.length);
  const elements = readable(() => elementRanges(json, ["deployment", "resources"]));
  const { deployment } = objectOf(parseExport(elements?.rest ?? json.toString()));
  const { resources } = objectOf(deployment);
  if (deployment === undefined || (resources !== undefined && !Array.isArray(resources)))
    throw new UnreadableState(
      "the text is not an exported state.\nCreate an exported state with: pulumi stack export --show-secrets",
    );
  return (elements?.spans ?? []).flatMap((span) => {
    const resource = resourceAt(json, span);
    const { urn, type } = resource;
    if (typeof urn !== "string" || typeof type !== "string" || resource.delete === true) return [];
    return [new ResourceInText(urn, type, resource, () => resourceAt(json, span))];
  });
}

/**
 * A resource that parses its properties from the state's text on each access. The caller stores the result if it needs it
 * again.
 */
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
    // Report encrypted secrets here, not when a resource happens to be read.
    for (const properties of [inputs, outputs]) propertiesIn(type, properties);
  }

  get inputs(): Properties {
    return propertiesIn(this.type, this.again().inputs);
  }

  get outputs(): Properties {
    return propertiesIn(this.type, this.again().outputs);
  }
}

function resourceAt(json: Buffer, { start, end }: ByteRange): Properties {
  return objectOf(parseExport(json.toString("utf8", start, end)));
}

/**
 * The properties of this package's resources and of the providers that serve them; properties of other resources are not
 * read.
 */
function propertiesIn(type: string, properties: unknown): Properties {
  const isLookedAt = tokenOf(type) !== undefined || type.startsWith("pulumi:providers:");
  return isLookedAt ? objectOf(withoutSecretMarks(properties)) : {};
}

/**
 * This package's name of a type, `scheduler:Job`, for a resource from either bridge; undefined for types of other packages.
 */
export function tokenOf(type: string): string | undefined {
  return /^(?:pulumi-nodejs:dynamic\/quarterdeck\/|quarterdeck:)([a-z]+:[A-Za-z]+)$/.exec(type)?.[1];
}

/** The service of a type of this package: `scheduler`. */
export function serviceOf(token: string): string {
  return token.split(":")[0] ?? "";
}

/**
 * A value without its secret wrappers.
 * @param isInside true inside a secret: engines encrypt only the outermost secret, so the ciphertext of an inner one is
 * plain text
 */
export function withoutSecretMarks(value: unknown, isInside = false): unknown {
  if (Array.isArray(value)) return value.map((part) => withoutSecretMarks(part, isInside));
  if (typeof value !== "object" || value === null) return value;
  if (MARK in value) {
    const { plaintext, ciphertext } = objectOf(value);
    const text = plaintext ?? (isInside ? ciphertext : undefined);
    if (typeof text === "string") return withoutSecretMarks(JSON.parse(text), true);
    throw new UnreadableState(
      "the state's secrets are encrypted.\nExport the state with: pulumi stack export --show-secrets",
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, withoutSecretMarks(part, isInside)]),
  );
}

function parseExport(text: string): unknown {
  return readable(() => JSON.parse(text));
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new UnreadableState(
      "the state is not valid JSON.\nExport the state with: pulumi stack export --show-secrets",
    );
  }
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
