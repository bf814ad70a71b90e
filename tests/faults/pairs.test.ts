import type { Edit } from "../steps/subject";
import { all } from "./all";
import { capabilityOf } from "./capability";
import { faults } from "./faults";
import { runPair } from "./pairs";
import type { Outcome } from "./rule";
import { type PlacedFault, runScenario } from "./scenarioRun";

jest.mock("../../provider/core/value/fileDigest", () => jest.requireActual("./files"));

// Each pair runs a complete scenario, up to 10 s on a busy machine.
jest.setTimeout(120_000);

// These pairs were found in the dialect `neutral`.
process.env.QUARTERDECK_TEST_DIALECT = "neutral";

const trouble = (at: number, name: string): PlacedFault => {
  const fault = faults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`no such fault: ${name}`);
  return { at, fault };
};

const RENAME: Edit = { property: "name", value: "renamed" };

/** Pairs of faults in one command that had a wrong outcome once, each with the number of its request. */
const PAIRS: readonly (readonly [
  why: string,
  token: string,
  life: string,
  one: PlacedFault,
  two: PlacedFault,
  more?: {
    readonly ends?: Outcome;
    /** The other user's edit, if it is not the scenario's own. */
    readonly edit?: Edit;
  },
])[] = [
  [
    "a key that another user set during the probe was overwritten by the next up",
    "workspaces:Workspace",
    "create, variant 3",
    trouble(1, "502 of a gateway, not carried out"),
    trouble(9, "another user's edit just before"),
    { edit: { property: "sshKeyId", value: "sshkey-deploy" } },
  ],
  [
    "consumers that another user added before a failed read were treated as ours",
    "workspaces:RemoteStateConsumers",
    "update",
    trouble(3, "another user's edit just before"),
    trouble(4, "200 with HTML, not carried out"),
  ],
  [
    "consumers that another user removed during the probe were added again without a report",
    "workspaces:RemoteStateConsumers",
    "update, variant 2",
    trouble(2, "carried out after the probe"),
    trouble(4, "another user's delete just after"),
  ],
  [
    "another user's consumers in a shared list were treated as ours",
    "workspaces:RemoteStateConsumers",
    "create that adopts an identical object",
    trouble(3, "another user's edit just before"),
    trouble(4, "403 in mid-operation"),
  ],
  [
    "another user's addition after a create without a response was treated as the service's",
    "mesh:ApiGateway",
    "create",
    trouble(1, "504 of a gateway, carried out"),
    trouble(2, "another user's edit just before"),
  ],
  [
    "another user's addition after an update without a response was treated as the service's",
    "mesh:TcpRoute",
    "update of spec",
    trouble(0, "200 with {}, carried out"),
    trouble(1, "another user's edit just before"),
  ],
  [
    "an applied delete was reported as not applied after another user created the object again",
    "secrets:QueueRole",
    "delete",
    trouble(1, "200 with an empty body, carried out"),
    trouble(2, "another user's edit just before"),
  ],
  [
    "a start in flight was reported as not applied",
    "secrets:RecoveryKeyRekey",
    "create",
    trouble(1, "503 of a gateway, carried out 25 s later"),
    trouble(3, "another user does the same just after"),
  ],
  [
    "a workspace that a late create adds after a deletion is reported as a second one",
    "workspaces:Workspace",
    "create",
    trouble(0, "503 of a gateway, carried out 1.5 s later"),
    trouble(5, "another user's delete just after"),
  ],
  [
    "a late start of a rekey after a kill and a complete next up cannot be known",
    "secrets:RecoveryKeyRekey",
    "create",
    trouble(1, "503 of a gateway, carried out 1.5 s later"),
    trouble(3, "killed when it is carried out"),
  ],
  [
    "consumers that an import did not read are not removed by a destroy",
    "workspaces:RemoteStateConsumers",
    "import",
    trouble(0, "503 of a gateway, not carried out"),
    trouble(2, "a list with half of a page"),
  ],
  [
    "a rekey counts as canceled if another user cancels it just before",
    "secrets:RecoveryKeyRekey",
    "create",
    trouble(3, "200 with HTML, carried out"),
    trouble(7, "another user reverts it just before"),
  ],
  [
    "an account that another user checked in was reported as never checked out",
    "secrets:LibraryCheckOut",
    "create",
    trouble(1, "200 with {}, carried out"),
    trouble(2, "another user reverts it just before"),
  ],
  [
    "a lock that was sent twice and replaced by another user was reported as never written",
    "workspaces:WorkspaceLock",
    "create",
    trouble(1, "carried out twice, the second answered"),
    trouble(2, "another user does the same just before"),
  ],
  [
    "an update that was sent twice before a deletion was reported as never written",
    "scheduler:Job",
    "adopt",
    trouble(2, "carried out twice, the second answered"),
    trouble(3, "another user's delete just before"),
  ],
  [
    "another user's object is overwritten after a stale read",
    "workspaces:DataRetentionPolicy",
    "create",
    trouble(0, "another user's edit just before"),
    trouble(1, "read from before the latest write"),
  ],
  [
    "a late cancellation ends the next rekey, as reported",
    "secrets:RecoveryKeyRekey",
    "resumed with the shares that were missing",
    trouble(2, "200 with {}, carried out"),
    trouble(6, "the connection reset, carried out 25 s later"),
  ],
  [
    "a stale read made the step abandon a rekey",
    "secrets:RecoveryKeyRekey",
    "create",
    trouble(2, "the connection reset, carried out 25 s later"),
    trouble(5, "read from before the latest write"),
    { ends: "reported" },
  ],
  [
    "a late cancellation ended the next rekey",
    "secrets:RecoveryKeyRekey",
    "create",
    trouble(3, "the service's clock an hour behind, and the answer lost"),
    trouble(7, "503 of a gateway, carried out 1.5 s later"),
  ],
  [
    "an account of a doubled check-out was never checked in",
    "secrets:LibraryCheckOut",
    "create",
    trouble(0, "another user does the same just after"),
    trouble(1, "carried out twice, the second answered"),
  ],
  [
    "the object of a create was reported as another user's after a 429",
    "secrets:LibrarySet",
    "create",
    trouble(1, "the connection reset, carried out 1.5 s later"),
    trouble(3, "429"),
    { ends: "no effect" },
  ],
  [
    "the object of a create with a precondition was reported as another user's after a 429",
    "mesh:ServiceRouter",
    "create",
    trouble(1, "the connection reset, carried out 1.5 s later"),
    trouble(3, "429"),
    { ends: "no effect" },
  ],
  [
    "another user's equal object after a create in flight was deleted and created again",
    "secrets:CloudStaticRole",
    "create",
    trouble(1, "canceled before it is sent"),
    trouble(6, "another user's equal create just after"),
    { ends: "reported" },
  ],
  [
    "consumers that another user removed after a lost response cannot be distinguished from ones that were never added",
    "workspaces:RemoteStateConsumers",
    "create",
    trouble(2, "200 with HTML, carried out"),
    trouble(3, "another user's edit just before"),
  ],
  [
    "a workspace that a late create adds after a rename is a second one",
    "workspaces:Workspace",
    "create that adopts an identical object",
    trouble(0, "the connection reset, carried out 25 s later"),
    trouble(5, "another user's edit just after"),
    { edit: RENAME },
  ],
  [
    "a workspace that a late create adds after the rename of an adopted one is a second one",
    "workspaces:Workspace",
    "adopt",
    trouble(0, "the connection reset, carried out 25 s later"),
    trouble(1, "another user's edit just after"),
    { edit: RENAME },
  ],
  [
    "another user's lock was treated as a final state that needs no user",
    "workspaces:WorkspaceLock",
    "refresh",
    trouble(0, "carried out, the answer too late"),
    trouble(1, "another user does the same just before"),
  ],
];

const told = PAIRS.map(([why, token, name, one, two, more]) => ({ why, token, name, one, two, ...more }));

test.each(told)("$why ($token, $name)", async ({ token, name, one, two, ends, edit }) => {
  const makes = all.flatMap(([each, make]) => (each === token ? [make] : []));
  let happened = 0;
  for (const make of makes) {
    const tried = await make();
    const can = capabilityOf(tried.definition);
    for (const found of (await tried.lives()).filter((each) => each.name === name)) {
      const life = edit ? { ...found, edit } : found;
      const [free, alone] = [await runScenario(tried, life), await runScenario(tried, life, one)];
      const result = await runPair(tried, life, { free, can, alone }, [one, two]);
      if (result) happened += 1;
      expect(result?.told ?? "").not.toContain('"wrong"');
      if (result && ends) expect(result.verdict).toEqual({ outcome: ends });
    }
  }
  expect(happened).toBeGreaterThan(0);
});
