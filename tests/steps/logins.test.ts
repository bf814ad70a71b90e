import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import serviceDefaults from "../../provider/services/mesh/kinds/serviceDefaults";
import job from "../../provider/services/scheduler/job";
import queueRole from "../../provider/services/secrets/queueRole";
import type { StubService } from "../../testing/stub/service";
import { MeshService } from "../../testing/stub/services/mesh/service";
import { SchedulerService } from "../../testing/stub/services/scheduler/service";
import { SecretsService } from "../../testing/stub/services/secrets/service";
import { Resource } from "./resource";
import { World } from "./world";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A service that hands out tokens of a minute, and what is made on it by them. */
interface Handing {
  readonly definition: AnyDefinition;
  readonly parameters: Values;
  readonly path?: string;
  stub(login: object): StubService;
  /** What a program writes of one object, first and later. */
  program(name: string, isEdited: boolean): Values;
}

const switches = { dialect: "real" } as const;
const token = { management: true };
const group = { Name: "main", Tasks: [{ Name: "main", Driver: "docker" }] };

const handings: readonly Handing[] = [
  {
    definition: queueRole,
    path: "auth/approle/login",
    parameters: { role_id: "app", secret_id: "sesame" },
    stub: (login) => new SecretsService({ switches, seed: { logins: [login] } }),
    program: (name, isEdited) => ({ name, tags: isEdited ? "management" : "monitoring" }),
  },
  {
    definition: job,
    parameters: { AuthMethodName: "ci", LoginToken: "a-signed-token" },
    stub: (login) => new SchedulerService({ switches, seed: { logins: [{ ...login, token }] } }),
    program: (ID, isEdited) => ({ json: { ID, Priority: isEdited ? 60 : 50, TaskGroups: [group] } }),
  },
  {
    definition: serviceDefaults,
    parameters: { AuthMethod: "ci", BearerToken: "a-signed-token" },
    stub: (login) => new MeshService({ switches, seed: { logins: [{ ...login, token }] } }),
    program: (name, isEdited) => ({ name, spec: { protocol: isEdited ? "grpc" : "http" } }),
  },
];

test.each(handings.map((handing) => [handing.definition.token, handing] as const))(
  "%s: an up of half an hour on tokens of one minute ends, with no request refused",
  async (_, { definition, path, parameters, stub, program }) => {
    const login = { ...(path !== undefined && { path }), parameters };
    const world = new World(
      stub({ ...login, seconds: 60, maximumSeconds: 5 * 60 }),
      definition,
      { dialect: "real", login },
      { beforeEnd: () => undefined },
    );
    const began = world.now;
    const refused: string[] = [];
    const tokens = new Set<unknown>();
    // Each request takes its time, and no more of it than a token lasts.
    world.fate = () => {
      world.now += 7 * SECOND;
      return "passes";
    };
    world.afterwards = ({ method, path: at, headers = {} }, { status }) => {
      if (status === 401 || status === 403) refused.push(`${method} ${at}`);
      for (const [name, value] of Object.entries(headers)) if (/token$/i.test(name)) tokens.add(value);
    };
    for (let number = 0; world.now - began < 30 * MINUTE; number++) {
      const resource = new Resource(world, definition);
      await resource.create(program(`object-${number}`, false));
      await resource.up(program(`object-${number}`, true));
      expect(await resource.refresh()).toBe(true);
    }
    expect(refused).toEqual([]);
    expect(world.logged).toEqual([]);
    expect(tokens.size).toBeGreaterThan(4);
  },
);
