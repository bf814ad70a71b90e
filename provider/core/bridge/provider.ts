import { withoutIds } from "../http/errors";
import { LOG_VARIABLE, logTo, type RequestLog } from "../http/requestLog";
import type { Connection, Service } from "../language/service";
import { type Notice, PlaceMemory, type Shared } from "../language/stepInput";
import { connect } from "../requests/connection";
import type { ConnectionOptions } from "../requests/connectionOptions";
import type { Configuration } from "../requests/given";
import { withMiddleware } from "../requests/middleware";
import { readOnly } from "../requests/middleware/secrets";
import { type ReadSource, sourceReader } from "../requests/secretSources";
import { Snapshots } from "../requests/shared/snapshots";
import { adoptsIdentical } from "../requests/userAgent";
import type { Reading } from "../value/aside";
import { BoundedCache } from "../value/memo";
import { Going } from "./asideProperty";

/** How much of what services read in texts is remembered, in characters. */
const MOST_READ = 50_000_000;

/** What a process hands to its provider. */
export interface ProviderOptions extends Omit<ConnectionOptions, "warn" | "inform"> {
  /** Whether it shows the address of each connection, and where that is from, when a command first uses it. */
  readonly showsAddresses?: boolean;
  /** Shows a notice to a person, in the words of its bridge. */
  readonly tell: (notice: Notice) => void;
  /** Whether it only looks: whatever would change something is then refused before it is sent. */
  readonly isReadOnly?: boolean;
}

/** All that a provider has and knows, made from one configuration: what each of its resources is handed. */
export class Provider {
  /** What services read in texts, from a check to the steps after it. */
  readonly readings = new BoundedCache<Reading>(MOST_READ);
  /** Which forecasts are not to be had, so that it is said once. */
  readonly unforetold = new Set<string>();
  /** Which objects this command manages. */
  readonly places = new PlaceMemory();
  /** Which objects go, and which name them, as far as this pass has shown. */
  readonly going = new Going();
  /** Reads secrets that programs keep elsewhere. A provider's process starts in the program's folder. */
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
    const file = configuration.env[LOG_VARIABLE];
    if (file) this.log = logTo(file, (text) => this.tell({ kind: "warning", text }));
  }

  /**
   * The service's own connection, or a named one: one pool, whatever number of types share it. Nothing is connected before
   * the first request.
   * @throws ConfigurationError naming each setting that is missing or wrong, and where it is set
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
   * Whether creates take over what they find in their place where it is just what the program writes.
   * @throws ConfigurationError where the setting is no word of its own
   */
  get adoptsIdentical(): boolean {
    return adoptsIdentical(this.configuration);
  }

  /** What refreshes of a service's resources share, until something is written to it by any connection. */
  shared(service: Service): Shared {
    return this.snapshots.of(service.name);
  }

  /** Shows something to a person: the same about the same once. */
  tell(told: Notice): void {
    const key = withoutIds(JSON.stringify(told));
    if (this.shown.has(key)) return;
    this.shown.add(key);
    this.making.tell(told);
  }
}
