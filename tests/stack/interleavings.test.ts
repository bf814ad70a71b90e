import fc from "fast-check";
import * as quarterdeck from "../../sdk";
import { Counter } from "../counter";
import { rounds } from "../rounds";
import { type Ask, consoleOn } from "./console";
import { TestStack } from "./stack";

/** One value of a resource that both programs and a user at a console write. */
interface Place {
  readonly of: string;
  make(text: string, options: { adopt: boolean; onConflict?: "overwrite" }): void;
  write(text: string): Promise<unknown>;
  holds(): Promise<string>;
}

const WORKSPACE = "/api/v2/organizations/acme/workspaces/app";
const ENTRY = "/v1/config/service-defaults/web";
const job = (owner: string) => ({
  ID: "web",
  Meta: { owner },
  TaskGroups: [{ Name: "front", Tasks: [{ Name: "server", Driver: "docker" }] }],
});

/** Commands of the programs. */
const commands = new Counter("commands");

function placesOn(ask: Ask): readonly Place[] {
  const workspace = async () => (await ask("workspaces", "GET", WORKSPACE)).body.data;
  return [
    {
      of: "a workspace",
      make: (description, options) =>
        void new quarterdeck.workspaces.Workspace("workspace", { name: "app", description, ...options }),
      write: async (description) =>
        ask("workspaces", "PATCH", `/api/v2/workspaces/${(await workspace()).id}`, {
          data: { type: "workspaces", attributes: { description } },
        }),
      holds: async () => (await workspace()).attributes.description,
    },
    {
      of: "a job",
      make: (owner, options) => void new quarterdeck.scheduler.Job("job", { json: job(owner), ...options }),
      write: (owner) => ask("scheduler", "POST", "/v1/jobs", { Job: job(owner) }),
      holds: async () => (await ask("scheduler", "GET", "/v1/job/web")).body.Meta.owner,
    },
    {
      of: "a role",
      make: (tags, options) =>
        void new quarterdeck.secrets.QueueRole("role", { name: "app", tags, ...options }),
      write: (tags) => ask("secrets", "POST", "/v1/rabbitmq/roles/app", { tags }),
      holds: async () => (await ask("secrets", "GET", "/v1/rabbitmq/roles/app")).body.data.tags,
    },
    {
      of: "an entry",
      make: (owner, options) =>
        void new quarterdeck.mesh.ServiceDefaults("entry", {
          name: "web",
          spec: { protocol: "http", meta: { owner } },
          ...options,
        }),
      write: (owner) =>
        ask("mesh", "PUT", "/v1/config", {
          Kind: "service-defaults",
          Name: "web",
          Protocol: "http",
          Meta: { owner },
        }),
      holds: async () => (await ask("mesh", "GET", ENTRY)).body.Meta.owner,
    },
  ];
}

/** One event. Every value that is written is unique. */
type Event =
  | { readonly kind: "up"; readonly who: 0 | 1; readonly edits: boolean; readonly overwrites: boolean }
  | { readonly kind: "refresh"; readonly who: 0 | 1 }
  | { readonly kind: "edit"; readonly place: number };

const who = fc.constantFrom<0 | 1>(0, 1);
const events = fc.array(
  fc.oneof<fc.Arbitrary<Event>[]>(
    fc.record({
      kind: fc.constant("up" as const),
      who,
      edits: fc.boolean(),
      overwrites: fc.constantFrom(false, false, true),
    }),
    fc.record({ kind: fc.constant("refresh" as const), who }),
    fc.record({ kind: fc.constant("edit" as const), place: fc.nat(3) }),
  ),
  { minLength: 3, maxLength: 7 },
);

/** A program with its own stack, and every value that it wrote. */
class Program {
  texts: readonly string[];
  readonly wrote = new Set<string>();

  constructor(
    readonly stack: TestStack,
    private readonly places: readonly Place[],
    texts: readonly string[],
  ) {
    this.texts = texts;
  }

  async up(overwrites = false): Promise<void> {
    for (const text of this.texts) this.wrote.add(text);
    const { places, texts } = this;
    commands.add();
    await this.stack.up(async () => {
      for (const [index, { make }] of places.entries()) {
        make(texts[index] ?? "", { adopt: true, ...(overwrites && { onConflict: "overwrite" }) });
      }
    });
  }

  knows(text: string): boolean {
    return this.wrote.has(text) || this.stack.printed.includes(text);
  }
}

async function play(story: readonly Event[]): Promise<void> {
  const first = await TestStack.open();
  const second = await TestStack.open({}, { stub: first.stub });
  try {
    const places = placesOn(consoleOn(first.stub));
    let written = 0;
    const fresh = () => `text-${++written}-end`;
    const begin = places.map(fresh);
    const programs = [new Program(first, places, begin), new Program(second, places, begin)] as const;
    for (const program of programs) await program.up();
    const held = () => Promise.all(places.map(({ holds }) => holds()));

    for (const event of story) {
      if (event.kind === "edit") {
        await places[event.place]?.write(fresh());
        continue;
      }
      const program = programs[event.who];
      if (event.kind === "refresh") {
        commands.add();
        await program.stack.refresh();
        continue;
      }
      if (event.edits) program.texts = program.texts.map(fresh);
      const before = await held();
      await program.up(event.overwrites);
      for (const [index, now] of (await held()).entries()) {
        const text = before[index] ?? "";
        if (now !== text)
          expect([places[index]?.of, text, program.knows(text)]).toEqual([places[index]?.of, text, true]);
      }
    }

    // After the remedy of the conflict message, each stack shows no changes.
    for (const { stack } of programs) {
      // The four commands below.
      for (let command = 1; command <= 4; command++) commands.add();
      await stack.refresh();
      expect(await stack.up()).toMatchObject({ failure: undefined });
      const { failure, changes } = await stack.preview();
      expect({ failure, changes }).toEqual({ failure: undefined, changes: { same: 5 } });
      expect(await stack.refresh()).toMatchObject({ changes: { same: 5 } });
    }
  } finally {
    await second.close();
    await first.close();
  }
}

test("two stacks and a console user overwrite no value that was not printed first, and end without changes", async () => {
  await fc.assert(fc.asyncProperty(events, play), { numRuns: rounds(20, 2), endOnFailure: true });
}, 3_600_000);
