import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Json } from "../../../provider/core/value/json";
import {
  type Answered,
  bodyOf,
  type Exchange,
  filledIn,
  jsonIn,
  keepOf,
  type Recording,
  steady,
} from "../../../tests/recorded/exchange";
import { apart } from "../../../tests/recorded/known";
import type { StubService } from "../../stub/service";
import { MeshService } from "../../stub/services/mesh/service";
import { SchedulerService } from "../../stub/services/scheduler/service";
import { INITIAL_SHARES } from "../../stub/services/secrets/rekey/records";
import { SecretsService } from "../../stub/services/secrets/service";
import { WorkspacesService } from "../../stub/services/workspaces/service";
import { send } from "./in-process";

interface Stage {
  readonly stub: StubService;
  /** The headers of an administrator, and of a user whom the service does not know. */
  readonly headers: Readonly<Record<"administrator" | "stranger", Readonly<Record<string, string>>>>;
  readonly kept: Readonly<Record<string, string>>;
}

const bearer = (token: string) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/vnd.api+json",
});

/** The stub of each server, in the dialect of the real product, with the initial state of the recorded server. */
const stages: Readonly<Record<string, () => Stage>> = {
  nomad: () => ({
    stub: new SchedulerService({
      seed: { tokens: { manager: { management: true } } },
      switches: { dialect: "real", validationStatus: 500 },
    }),
    headers: { administrator: { "x-nomad-token": "manager" }, stranger: { "x-nomad-token": "nobody" } },
    kept: {},
  }),
  bao: () => ({
    stub: new SecretsService({
      seed: {
        tokens: { root: {} },
        // Where the recording mounted them.
        namespaces: { "": { mounts: { msgq: "queue", cloud: "cloud", ldap: "directory" } } },
        directoryAccounts: ["svc", "svc-db", "svc-1", "svc-2", "svc-9"],
        identityIds: [],
      },
      switches: { dialect: "real", absentStaticRoleDelete: 500, directoryProduct: "openbao", rekey: "both" },
    }),
    headers: { administrator: { "x-vault-token": "root" }, stranger: { "x-vault-token": "nobody" } },
    kept: {
      directory: "ldap://127.0.0.1:389",
      firstShare: INITIAL_SHARES[0] ?? "",
      secondShare: INITIAL_SHARES[1] ?? "",
    },
  }),
  otfd: () => ({
    stub: new WorkspacesService({
      seed: {
        tokens: { owner: { user: "site-admin", organizations: { acme: ["owners"] } } },
        organizations: { acme: {} },
      },
      switches: { dialect: "real" },
    }),
    headers: { administrator: bearer("owner"), stranger: bearer("nobody") },
    kept: { terraform: "1.11.4" },
  }),
  consul: () => ({
    stub: new MeshService({
      seed: { tokens: { manager: { management: true } } },
      switches: { dialect: "real" },
    }),
    headers: { administrator: { "x-consul-token": "manager" }, stranger: { "x-consul-token": "nobody" } },
    kept: {},
  }),
};

async function replay(stage: Stage, exchange: Exchange, kept: Map<string, string>): Promise<Answered> {
  const filled = filledIn(exchange as unknown as Json, kept) as unknown as Exchange;
  const { method, as } = filled;
  const sent = bodyOf(filled);
  const { pathname, search } = new URL(filled.path, "http://stub.invalid");
  const answer = await send(stage.stub, method, pathname + search, {
    headers: as === "nobody" ? {} : stage.headers[as ?? "administrator"],
    ...(sent !== undefined && { body: sent }),
    now: Date.UTC(2030, 0, 1),
  });
  keepOf(exchange, jsonIn(answer.text) ?? null, kept);
  return steady(answer.status, answer.headers["content-type"] ?? typeOf(answer.text), answer.text);
}

/** The content type that the HTTP layer adds if a route sets none; these tests call only the routes. */
function typeOf(text: string): string {
  return jsonIn(text) === undefined ? "text/plain" : "application/json";
}

const recorded = Object.keys(stages).filter((program) =>
  existsSync(join(__dirname, `../../../tests/recorded/${program}.json`)),
);

describe.each(recorded)("recorded responses of %s", (program) => {
  const { exchanges } = JSON.parse(
    readFileSync(join(__dirname, `../../../tests/recorded/${program}.json`), "utf8"),
  ) as Recording;

  test("the stub returns the same status, fields and messages in the dialect of the real product", async () => {
    const stage = (stages[program] ?? (() => undefined))();
    if (stage === undefined) throw new Error(`there is no stub of ${program}`);
    const kept = new Map(Object.entries(stage.kept));
    const differing: string[] = [];
    for (const exchange of exchanges) {
      const answered = await replay(stage, exchange, kept).catch((error: unknown) => String(error));
      const known = apart(program, exchange.about);
      for (const difference of differences(exchange.answered as unknown as Json, answered as unknown as Json))
        if (!known.some((path) => isAt(path, difference.path)))
          differing.push(
            `${exchange.about}: ${difference.path.join(".")} is ${difference.real}, and the stub's ${difference.stub}`,
          );
    }
    expect(differing).toEqual([]);
  });
});

interface Differing {
  readonly path: readonly string[];
  readonly real: string;
  readonly stub: string;
}

/** Every field in which two responses differ. */
function differences(
  real: Json | undefined,
  stub: Json | undefined,
  path: readonly string[] = [],
): Differing[] {
  if (isObject(real) && isObject(stub)) {
    return [...new Set([...Object.keys(real), ...Object.keys(stub)])].flatMap((name) =>
      differences(real[name], stub[name], [...path, name]),
    );
  }
  if (Array.isArray(real) && Array.isArray(stub) && real.length === stub.length)
    return real.flatMap((element, index) => differences(element, stub[index], [...path, String(index)]));
  const [expected, actual] = [JSON.stringify(real) ?? "absent", JSON.stringify(stub) ?? "absent"];
  return expected === actual ? [] : [{ path, real: expected, stub: actual }];
}

/** Whether a path is this one or lies inside it; `*` matches any name. */
function isAt(known: readonly string[], path: readonly string[]): boolean {
  return known.every((name, index) => index < path.length && (name === "*" || name === path[index]));
}
