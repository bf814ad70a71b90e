import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort, type Launch, type Started, start } from "./program";
import type { Teardown } from "./server";

/** The number of servers. The cluster works with one of them missing. */
export const SERVERS = 3;
/** The timeout for the election of an active server, and for a complete cluster. */
const TIMEOUT_MS = 90_000;

/** One server of a cluster. */
export interface Member {
  readonly name: string;
  readonly folder: string;
  readonly address: string;
  /** The `http` port and the program's other ports. */
  readonly ports: Readonly<Record<string, number>>;
}

/** The configuration of one program's cluster. */
export interface Kind {
  readonly program: string;
  /** The names of its ports except `http`. */
  readonly ports: readonly string[];
  configuration(own: Member, all: readonly Member[]): string;
  args(config: string): readonly string[];
  isUp: (address: string) => Promise<boolean>;
  /** The identifier of the active server, as the server at this address reports it; undefined if there is none. */
  active(address: string): Promise<string | undefined>;
  /** The identifier that the other servers use for a member. */
  idOf(member: Member): string;
  /** Whether every server can vote and can be elected, according to the active one. */
  isComplete(address: string, token: string): Promise<boolean>;
}

/** Three servers on loopback. Each of them can be killed and started again. */
export class Cluster {
  readonly #running = new Map<Member, Started>();

  private constructor(
    private readonly kind: Kind,
    readonly members: readonly Member[],
  ) {}

  /** Starts every server. The kind's configuration or the caller joins them. */
  static async start(teardown: Teardown, kind: Kind): Promise<Cluster> {
    const members: Member[] = [];
    for (let number = 1; number <= SERVERS; number++) {
      const ports: Record<string, number> = {};
      for (const name of ["http", ...kind.ports]) ports[name] = await freePort();
      const name = `server-${number}`;
      members.push({
        name,
        folder: join(teardown.folder, name),
        address: `http://127.0.0.1:${ports.http}`,
        ports,
      });
    }
    const cluster = new Cluster(kind, members);
    teardown.add(() => cluster.stop());
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

  /** Starts the missing servers. Resolves when one is active and every other one could replace it. */
  async makeComplete(token: string): Promise<void> {
    for (const member of this.members) if (!this.#running.has(member)) await this.startOne(member);
    await until("the cluster is complete", async () => {
      const leaders = await Promise.all(this.members.map(({ address }) => this.kind.active(address)));
      const active = this.members.find((member) => this.kind.idOf(member) === leaders[0]);
      if (active === undefined || leaders.some((one) => one !== leaders[0])) return false;
      return this.kind.isComplete(active.address, token);
    });
  }

  /** The active server. */
  async active(): Promise<Member> {
    for (const { address } of this.members.filter((member) => this.#running.has(member))) {
      const active = await this.kind.active(address).catch(() => undefined);
      const found = this.members.find((member) => this.kind.idOf(member) === active);
      if (found !== undefined && this.#running.has(found)) return found;
    }
    throw new Error("no server is active");
  }

  /** A running server that is not active. */
  async standby(): Promise<Member> {
    const active = await this.active();
    const found = this.members.find((member) => member !== active && this.#running.has(member));
    if (found === undefined) throw new Error("no server stands by");
    return found;
  }

  /** Kills a server without a shutdown. */
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

/** Resolves when the condition is true. Retries after errors. */
export async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; ; ) {
    if (await isTrue().catch(() => false)) return;
    if (Date.now() > end) throw new Error(`${what}: not within ${TIMEOUT_MS / 1000} s`);
    await delay(200);
  }
}
