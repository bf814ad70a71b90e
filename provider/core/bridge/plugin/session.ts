import type { FunctionDefinition } from "../../functions/define";
import { withoutIds } from "../../http/errors";
import type { Behalf } from "../../http/request";
import { systemRuntime } from "../../http/timeBudget";
import type { AnyDefinition } from "../../language/resource";
import type { Notice, Subject } from "../../language/stepInput";
import { beforeEnd } from "../../requests/context";
import type { StackNames } from "../../requests/userAgent";
import type { Inputs } from "../../value/unknown";
import { noticeText, subjectText } from "../asideProperty";
import type { Host } from "../call";
import { Provider } from "../provider";
import { type Services, settingText } from "./configuration";
import { EngineLog } from "./log";
import { ResourceCalls, type Surroundings } from "./resource";

/** What a package hands to its bridge. */
export interface PluginPackage {
  /** Its name, which begins every token: `quarterdeck`. */
  readonly name: string;
  readonly version: string;
  /** By what its requests say whose they are. */
  userAgent(stack: StackNames): string;
  /** The schema of the package, as JSON text. */
  schema(): string;
  /** Its resource of a token, `scheduler:Job`; undefined where it has none of that name. */
  resource(token: string): AnyDefinition | undefined;
  /** Its function of a token; undefined where it has none of that name. */
  function(token: string): FunctionDefinition | undefined;
  readonly services: Services;
}

/** What a process knows between calls: which engine it serves, what it was configured with, and what runs. */
export class Session {
  #log: EngineLog | undefined;
  #provider: Provider | undefined;
  #wasChecked = false;
  readonly #calls = new Map<string, ResourceCalls>();
  readonly #running = new Set<AbortController>();
  readonly #shown = new Set<string>();

  constructor(readonly own: PluginPackage) {}

  /** From now on lines go to this engine; one process may serve several, one after the other. */
  attach(address: string): void {
    this.#log?.close();
    this.#log = new EngineLog(address);
  }

  /** A program has said its configuration, so that what is configured next is of now. */
  markChecked(): void {
    this.#wasChecked = true;
  }

  /**
   * @param stack what the engine says of the stack that it is for
   * @param isGiven whether a person gave the settings just now, so that they were checked by no call before
   */
  configure(settings: Inputs, stack: StackNames = {}, isGiven = false): void {
    const isStored = !this.#wasChecked && !isGiven;
    this.#wasChecked = false;
    this.#shown.clear();
    this.#provider = new Provider(
      { get: (key) => settingText(settings, key), env: process.env, isStored },
      {
        runtime: systemRuntime,
        userAgent: this.own.userAgent(stack),
        beforeEnd: (deed) => beforeEnd(deed, systemRuntime),
        tell: (notice) => this.#show(notice),
        showsAddresses: true,
      },
    );
  }

  /** The calls for a type of resources. */
  resourceCalls(token: string): ResourceCalls | undefined {
    const existing = this.#calls.get(token);
    const definition = existing ? undefined : this.own.resource(token);
    if (definition === undefined) return existing;
    const made = new ResourceCalls(definition);
    this.#calls.set(token, made);
    return made;
  }

  /** Runs a call that a cancel ends, and that shows what it tells at its resource; ended once all of that is shown. */
  async run<T>({ object, trace }: Behalf, call: (around: Surroundings) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#running.add(controller);
    const behalf = { ...(object !== undefined && { object }), trace };
    try {
      return await call({ host: this.#hostAt(object), signal: controller.signal, behalf });
    } finally {
      this.#running.delete(controller);
      await this.#log?.flushed();
    }
  }

  /** Ends what runs; what comes later is none of it. */
  cancel(): void {
    for (const controller of this.#running) controller.abort();
  }

  #hostAt(urn: string | undefined): Host {
    const provider = this.#provider;
    // The engine configures a provider before it makes any other call, but where its settings are not known yet.
    if (provider === undefined) throw new TypeError("the provider is not configured");
    return {
      connection: (service, name) => provider.connection(service, name),
      adoptsIdentical: provider.adoptsIdentical,
      readings: provider.readings,
      unforetold: provider.unforetold,
      going: provider.going,
      places: provider.places,
      secretAt: provider.secretAt,
      shared: (service) => provider.shared(service),
      // What a notice is about, the engine says by the resource at which it is shown; but a table stands by itself where it
      // shows every step whole (`--diff`).
      tell: ({ about, ...notice }) =>
        this.#show(isTable(notice) ? { ...notice, text: named(notice, about) } : notice, urn),
    };
  }

  /** Shows a notice: the same at the same resource once. */
  #show(notice: Notice, urn = ""): void {
    const text = noticeText(notice);
    const key = withoutIds(JSON.stringify([notice.kind, urn, text]));
    if (this.#shown.has(key)) return;
    this.#shown.add(key);
    this.#log?.show({ ...notice, text }, urn);
  }
}

function isTable({ kind, text }: Notice): boolean {
  return kind !== "progress" && text.includes("\n");
}

function named({ text }: Notice, about: Subject | undefined): string {
  return about === undefined ? text : `${subjectText(about)}: ${text}`;
}
