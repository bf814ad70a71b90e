import { withoutIds } from "../http/errors";
import { LOG_VARIABLE, logTo, type RequestLog } from "../http/requestLog";
import { CommandWrites } from "../language/commandWrites";
import { PlaceMemory } from "../language/placeMemory";
import { type AnyDefinition, inDialect } from "../language/resource";
import type { Connection, Service } from "../language/service";
import type { Notice, Shared } from "../language/stepInput";
import { connect } from "../requests/connection";
import type { ConnectionOptions } from "../requests/connectionParts";
import { type Configuration, ConfigurationError } from "../requests/given";
import { readOnly, withMiddleware } from "../requests/middleware";
import { type ReadSource, sourceReader } from "../requests/secretSources";
import { adoptsIdentical } from "../requests/settings";
import { Snapshots } from "../requests/shared/snapshots";
import { BoundedCache } from "../value/memo";
import type { ParsedText } from "../value/programInputs";
import type { Inputs } from "../value/unknown";
import { Going } from "./notices";

/** The maximum total size of cached parsed texts, in characters. */
const MOST_READ = 50_000_000;

/** The options that a process passes to its provider. */
export interface ProviderOptions extends Omit<ConnectionOptions, "warn" | "inform"> {
  /** True to show the address of each connection, and its source, when a command first uses the connection. */
  readonly showsAddresses?: boolean;
  /** Shows a notice to the user in the bridge's form. */
  readonly tell: (notice: Notice) => void;
  /** True for read-only use: requests that could change something are rejected before they are sent. */
  readonly isReadOnly?: boolean;
}

/** The resources and caches of a provider with one configuration, shared by all of its resources. */
export class Provider {
  /** The services' parsed forms of texts, from a check to the steps after it. */
  readonly readings = new BoundedCache<ParsedText>(MOST_READ);
  /** The scopes in which a request of a preview has failed, so that each failure is reported once. */
  readonly unavailableScopes = new Set<string>();
  /** The objects that this command manages. */
  readonly places = new PlaceMemory();
  /** The writes of this command. */
  readonly writes: CommandWrites;
  /** The objects to be replaced, and the resources that name these, as far as this pass has shown them. */
  readonly going = new Going();
  /** Reads secrets from their sources. A provider's process starts in the program's folder. */
  readonly secretAt: ReadSource;
  private readonly snapshots: Snapshots;
  private readonly connections = new Map<string, Connection>();
  private readonly shown = new Set<string>();
  private readonly log: RequestLog | undefined;

  constructor(
    private readonly configuration: Configuration,
    private readonly making: ProviderOptions,
  ) {
    this.secretAt = sourceReader(configuration.env, () => process.cwd());
    this.snapshots = new Snapshots(() => making.runtime.now());
    this.writes = new CommandWrites(() => making.runtime.now());
    const file = configuration.env[LOG_VARIABLE];
    if (file) this.log = logTo(file, (text) => this.tell({ kind: "warning", text }));
  }

  /**
   * The service's own connection, or a named one. All types that use a connection share one pool. The connection opens with
   * the first request.
   * @throws ConfigurationError with each setting that is missing or wrong, and where it is set
   */
  connection(service: Service, name: string | undefined): Connection {
    const key = JSON.stringify([service.name, name]);
    const existing = this.connections.get(key);
    if (existing) return existing;
    const warn = (text: string) => this.tell({ kind: "warning", text });
    const inform = (text: string) => this.tell({ kind: "info", text });
    const { showsAddresses } = this.making;
    const whole = connect(service, name, this.configuration, {
      log: this.log,
      ...this.making,
      warn,
      ...(showsAddresses && { inform }),
    });
    const made = withMiddleware(
      whole,
      this.snapshots.invalidation(service.name),
      ...(this.making.isReadOnly ? [readOnly(service.name)] : []),
    );
    this.connections.set(key, made);
    return made;
  }

  /**
   * True if creates adopt an existing object that is identical to the program's object.
   * @throws ConfigurationError if the setting has an unknown value
   */
  get adoptsIdentical(): boolean {
    return adoptsIdentical(this.configuration);
  }

  /** The results that refreshes of a service's resources share, until a connection sends a write to the service. */
  shared(service: Service): Shared {
    return this.snapshots.of(service.name);
  }

  /** Shows a notice to the user, once per subject. */
  tell(told: Notice): void {
    const key = withoutIds(JSON.stringify(told));
    if (this.shown.has(key)) return;
    this.shown.add(key);
    this.making.tell(told);
  }
}

/** The parts of a provider that a call needs. */
export type Host = Pick<
  Provider,
  | "adoptsIdentical"
  | "connection"
  | "going"
  | "places"
  | "readings"
  | "secretAt"
  | "shared"
  | "tell"
  | "unavailableScopes"
  | "writes"
>;

/** The connection that a resource's inputs name. */
export function connectionOf(
  { service }: Pick<AnyDefinition, "service">,
  { connection: name }: Inputs,
  host: Host,
): Connection {
  return host.connection(service, typeof name === "string" ? name : undefined);
}

/** The definition in the dialect of the servers; unchanged while the configuration cannot be used. */
export function definitionFor(definition: AnyDefinition, inputs: Inputs, host: Host): AnyDefinition {
  if (definition.inDialect === undefined) return definition;
  try {
    return inDialect(definition, connectionOf(definition, inputs, host).dialect);
  } catch (error) {
    if (error instanceof ConfigurationError) return definition;
    throw error;
  }
}
