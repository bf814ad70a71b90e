import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort, type Launch, type Started, start } from "./program";
import type { Begun } from "./server";

/** How many servers a cluster has: one may be missing. */
export const SERVERS = 3;
/** How long a cluster may take until it has an active server, and until all of it is well. */
const WELL_MS = 90_000;

/** One server of a cluster, by its ports. */
export interface Member {
  readonly name: string;
  readonly folder: string;
  readonly address: string;
  /** `http`, and whatever else the program listens on. */
  readonly ports: Readonly<Record<string, number>>;
}

/** How one program makes a cluster. */
export interface Kind {
  readonly program: string;
  /** What it listens on beside `http`. */
  readonly ports: readonly string[];
  configuration(own: Member, all: readonly Member[]): string;
  args(config: string): readonly string[];
  isUp: (address: string) => Promise<boolean>;
  /** The active server as one of them calls it; undefined while there is none. */
  active(address: string): Promise<string | undefined>;
  /** What the others call a server. */
  called(member: Member): string;
  /** Whether every server is one that chooses, and may be chosen, as the active one says it. */
  isWell(address: string, token: string): Promise<boolean>;
}

/** Three servers on loopback, of which any may be ended and started again. */
export class Cluster {
  readonly #running = new Map<Member, Started>();

  private constructor(
    private readonly kind: Kind,
    readonly members: readonly Member[],
  ) {}

  /** Starts every server; what makes them one cluster is up to the kind, and to whoever calls this. */
  static async start(begun: Begun, kind: Kind): Promise<Cluster> {
    const members: Member[] = [];
    for (let number = 1; number <= SERVERS; number++) {
      const ports: Record<string, number> = {};
      for (const name of ["http", ...kind.ports]) ports[name] = await freePort();
      const name = `server-${number}`;
      members.push({
        name,
        folder: join(begun.folder, name),
        address: `http://127.0.0.1:${ports.http}`,
        ports,
      });
    }
    const cluster = new Cluster(kind, members);
    begun.add(() => cluster.stop());
    for (const member of members) {
      mkdirSync(join(member.folder, "data"), { recursive: true });
      writeFileSync(join(member.folder, "server.hcl"), kind.configuration(member, members));
      await cluster.startOne(member);
    }
    return cluster;
  }

  async stop(): Promise<void> {
    for (const [member, started] of this.#running) {
      this.#running.delete(member);
      await started.stop();
    }
  }

  /** Once all servers run, one is active, and any may take its place. */
  async whole(token: string): Promise<void> {
    for (const member of this.members) if (!this.#running.has(member)) await this.startOne(member);
    await until("the cluster is whole", async () => {
      const told = await Promise.all(this.members.map(({ address }) => this.kind.active(address)));
      const active = this.members.find((member) => this.kind.called(member) === told[0]);
      if (active === undefined || told.some((one) => one !== told[0])) return false;
      return this.kind.isWell(active.address, token);
    });
  }

  /** The server that takes the writes. */
  async active(): Promise<Member> {
    for (const { address } of this.members.filter((member) => this.#running.has(member))) {
      const active = await this.kind.active(address).catch(() => undefined);
      const found = this.members.find((member) => this.kind.called(member) === active);
      if (found !== undefined && this.#running.has(found)) return found;
    }
    throw new Error("no server is active");
  }

  /** One that is not. */
  async standby(): Promise<Member> {
    const active = await this.active();
    const found = this.members.find((member) => member !== active && this.#running.has(member));
    if (found === undefined) throw new Error("no server stands by");
    return found;
  }

  /** Ends a server without a word. */
  async kill(member: Member): Promise<void> {
    const started = this.#running.get(member);
    this.#running.delete(member);
    await started?.kill();
  }

  private async startOne(member: Member): Promise<void> {
    const launch: Launch = {
      program: this.kind.program,
      args: this.kind.args(join(member.folder, "server.hcl")),
      folder: member.folder,
      isReady: () => this.kind.isUp(member.address),
    };
    this.#running.set(member, await start(launch));
  }
}

/** Ends once something is so; what fails in between is not so yet. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WELL_MS; ; ) {
    if (await isSo().catch(() => false)) return;
    if (Date.now() > end) throw new Error(`${what}: not within ${WELL_MS / 1000} s`);
    await delay(200);
  }
}
