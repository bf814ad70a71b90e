import { catalog } from "../../../provider/catalog";
import { withoutStack } from "../../../provider/core/http/errors";
import { mayPass } from "../../../provider/core/requests/watch";
import { equalJson, ownMember } from "../../../provider/core/value/json";
import { type StackResource, serviceOf, stackOf, tokenOf } from "../../state/deployment";
import { type ResourceSettings, SettingsOfState } from "../../state/settings";
import { checkResource } from "../checkResource";
import { countsOf, type DriftReport, type ResourceReport } from "../report";
import { Blindness, News, type WatchEvent } from "./events";
import { type HostOf, Hosts } from "./hosts";
import { Lanes } from "./lanes";
import { Mailbox } from "./mailbox";
import type { WatchOptions } from "./options";
import { FollowedList } from "./source";
import { type WaitingList, waitingListOf } from "./waitingList";

/** A watched resource. */
interface Watched {
  readonly resource: StackResource;
  readonly service: string;
  readonly own: ResourceSettings;
  /** The list with blocking queries that contains the resource, and its key there. */
  readonly shown?: { readonly source: FollowedList<Watched>; readonly item: string };
}

/** The parts that the resources of a service with the same settings share. */
type Connected = Pick<Watched, "service" | "own">;

const AT_ONCE = 32;

/** The work of a watch: follows lists, checks changed resources, and reports new states. */
export class Watcher {
  readonly #watched: readonly Watched[];
  readonly #sources = new Map<string, FollowedList<Watched>>();
  readonly #events = new Mailbox<WatchEvent>();
  readonly #news = new News();
  readonly #blindness = new Blindness();
  readonly #reports = new Map<string, ResourceReport>();
  /** Resources that could not be checked because the connection to their server failed. */
  readonly #unseen = new Set<Watched>();
  readonly #lanes: Lanes<Watched, HostOf>;
  readonly #hosts: Hosts;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    all: readonly StackResource[],
    ours: readonly StackResource[],
    private readonly options: Required<Pick<WatchOptions, "interval" | "passing">> & WatchOptions,
  ) {
    const { configuration, env = process.env, signal } = options;
    this.#hosts = new Hosts(options.warn, stackOf(all));
    const settings = new SettingsOfState(all, { configuration, env });
    this.#watched = ours.map((resource) => this.#watchedOf(resource, settings.of(resource)));
    this.#lanes = new Lanes(
      AT_ONCE,
      (each, hostOf) => this.#look(each, hostOf),
      (error) => this.#events.fail(error),
    );
    const end = () => this.close();
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  }

  /** Starts following the lists. After its first response, a list reports every later change. */
  async hear(): Promise<void> {
    await Promise.all([...this.#sources.values()].map((source) => source.begin()));
  }

  /** Takes the report of the first check, and emits its events. */
  begin(first: DriftReport): void {
    for (const report of first.resources) this.#reports.set(report.urn, this.#passed(report));
    const { project, stack } = first;
    const { interval } = this.options;
    const polled = this.#watched.filter((each) => this.#isPolled(each)).length;
    this.#tell({
      event: "began",
      ...(project !== undefined && { project }),
      ...(stack !== undefined && { stack }),
      counts: countsOf(this.reports()),
      waiting: this.#watched.length - polled,
      polled,
      interval,
    });
    for (const report of this.reports()) this.#tellNew(report);
    this.#lanes.open();
    this.#timer = setInterval(
      () => this.#mark(this.#watched.filter((each) => this.#isPolled(each))),
      interval * 1000,
    );
  }

  events(): AsyncGenerator<WatchEvent, void, void> {
    return this.#events.letters();
  }

  /** The last report of every resource. */
  reports(): readonly ResourceReport[] {
    return [...this.#reports.values()];
  }

  close(): void {
    clearInterval(this.#timer);
    this.#ending.abort();
    this.#events.close();
  }

  #watchedOf(resource: StackResource, own: ResourceSettings): Watched {
    const type = tokenOf(resource.type) ?? "";
    const connected = { service: serviceOf(type), own };
    const list = this.#listOf(resource, type, own);
    if (list === undefined) return { resource, ...connected };
    const key = `${own.key} ${list.list}`;
    const source = this.#sources.get(key) ?? this.#sourceOf(key, list, connected);
    const each: Watched = { resource, ...connected, shown: { source, item: list.item } };
    source.members.push(each);
    return each;
  }

  #listOf(resource: StackResource, type: string, own: ResourceSettings): WaitingList | undefined {
    const definition = ownMember(catalog, type)?.();
    try {
      return definition && waitingListOf(definition, this.#hosts.waiting(own), resource);
    } catch {
      // The first check reports problems with its settings or its state.
      return undefined;
    }
  }

  #sourceOf(key: string, list: WaitingList, connected: Connected): FollowedList<Watched> {
    const source = new FollowedList<Watched>(list, this.#ending.signal, this.options.interval * 1000, {
      moved: (before, now) => {
        const isMoved = ({ shown }: Watched) =>
          shown !== undefined && !equalJson(before?.get(shown.item), now.get(shown.item));
        const moved = source.members.filter(isMoved);
        // The outage ends only after these changed resources have been checked.
        const id = idOf(connected);
        if (this.#blindness.isBlind(id))
          for (const { resource } of moved) this.#blindness.recordFailure(id, resource.urn, Date.now());
        if (before === undefined) this.#mark(source.members);
        else for (const each of moved) this.#lanes.mark(each, this.#hosts.alone);
      },
      heard: () => {
        this.#sees(connected, key);
        // The connection works again.
        if (this.#unseen.size > 0)
          this.#mark([...this.#unseen].filter((each) => idOf(each) === idOf(connected)));
      },
      failed: (error) => {
        const { message: why } = withoutStack(error);
        if (mayPass(error)) this.#isBlind(connected, key, why);
        else this.#tell({ event: "polling", ...sourceOf(connected), why });
      },
    });
    this.#sources.set(key, source);
    return source;
  }

  #isPolled(each: Watched): boolean {
    const { shown, resource } = each;
    if (shown === undefined || this.#unseen.has(each)) return true;
    return !shown.source.shows(shown.item) || this.#reports.get(resource.urn)?.verdict === "unreadable";
  }

  /** Checks several resources, which share lists if possible. */
  #mark(several: readonly Watched[]): void {
    const hostOf = this.#hosts.round();
    for (const each of several) this.#lanes.mark(each, hostOf);
  }

  async #look(each: Watched, hostOf: HostOf): Promise<void> {
    const { resource, own } = each;
    if (this.#ending.signal.aborted) return;
    const { mayPass: isPassing, ...report } = await checkResource(resource, hostOf(own), own.source);
    if (this.#ending.signal.aborted) return;
    if (isPassing) {
      if (!this.#unseen.has(each)) this.#loseSight(each, report.why ?? "");
      return;
    }
    this.#unseen.delete(each);
    const passed = this.#passed(report);
    this.#reports.set(resource.urn, passed);
    this.#tellNew(passed);
    this.#sees(each, resource.urn);
  }

  /** The connection to a server failed: its polled resources count as unseen until each has been checked again. */
  #loseSight(each: Watched, why: string): void {
    const id = idOf(each);
    this.#isBlind(each, each.resource.urn, why);
    const lost = this.#watched.filter((other) => idOf(other) === id && this.#isPolled(other));
    for (const other of [each, ...lost]) {
      this.#unseen.add(other);
      this.#blindness.recordFailure(id, other.resource.urn, Date.now());
    }
  }

  #isBlind(connected: Connected, source: string, why: string): void {
    const blind = this.#blindness.recordFailure(idOf(connected), source, Date.now());
    if (blind === undefined) return;
    this.#tell({ event: "blind", ...sourceOf(connected), since: new Date(blind.since).toISOString(), why });
  }

  #sees(connected: Connected, source: string): void {
    const now = Date.now();
    const blind = this.#blindness.sees(idOf(connected), source, now);
    if (blind === undefined) return;
    const seconds = (now - blind.since) / 1000;
    this.#tell({
      event: "sees",
      ...sourceOf(connected),
      since: new Date(blind.since).toISOString(),
      seconds,
    });
  }

  #passed(report: ResourceReport): ResourceReport {
    const resources = [report];
    const at = new Date().toISOString();
    const whole = { at, seconds: 0, requests: 0, counts: countsOf(resources), resources };
    return this.options.passing(whole).resources[0] ?? report;
  }

  #tellNew(report: ResourceReport): void {
    if (this.#news.isNew(report)) this.#tell({ event: "resource", ...report });
  }

  #tell(event: Untimed<WatchEvent>): void {
    this.#events.put({ at: new Date().toISOString(), ...event } as WatchEvent);
  }
}

type Untimed<Event> = Event extends unknown ? Omit<Event, "at"> : never;

function idOf({ service, own }: Connected): string {
  return `${own.key} ${service}`;
}

function sourceOf({ service, own }: Connected) {
  return { service, settings: own.source };
}
