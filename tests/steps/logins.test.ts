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

/** A service that issues tokens with a lifetime of one minute, and the objects to create with them. */
interface TokenIssuer {
  readonly definition: AnyDefinition;
  readonly parameters: Values;
  readonly path?: string;
  stub(login: object): StubService;
  /** The first and the later program of one object. */
  program(name: string, isEdited: boolean): Values;
}

const switches = { dialect: "real" } as const;
const token = { management: true };
const group = { Name: "main", Tasks: [{ Name: "main", Driver: "docker" }] };

const tokenIssuers: readonly TokenIssuer[] = [
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

test.each(tokenIssuers.map((issuer) => [issuer.definition.token, issuer] as const))(
  "%s: steps that take half an hour with one-minute tokens succeed, and no request is rejected",
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
    // Each request takes a while, but less than the lifetime of a token.
    world.fate = () => {
      world.now += 7 * SECOND;
      return "passes";
    };
    world.onResponse = ({ method, path: at, headers = {} }, { status }) => {
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
