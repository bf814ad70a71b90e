import { all } from "./all";
import { capabilityOf } from "./capability";
import { courseOf, type Trouble } from "./course";
import { faults } from "./faults";
import { triedPair } from "./pairs";
import type { Outcome } from "./rule";

// Each pair runs a complete scenario, up to 10 s on a busy machine.
jest.setTimeout(120_000);

// These pairs were found in the dialect `neutral`.
process.env.QUARTERDECK_TEST_DIALECT = "neutral";

const trouble = (at: number, name: string): Trouble => {
  const fault = faults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`no such fault: ${name}`);
  return { at, fault };
};

/** Pairs of faults in one command that had a wrong outcome once, each with the number of its request. */
const PAIRS: readonly (readonly [
  why: string,
  token: string,
  life: string,
  one: Trouble,
  two: Trouble,
  ends?: Outcome,
])[] = [
  [
    "somebody's key, set while ours was looked for, was written over by the next up",
    "workspaces:Workspace",
    "create, way 2",
    trouble(1, "502 of a gateway, not carried out"),
    trouble(9, "a stranger's edit just before"),
  ],
  [
    "consumers that somebody wrote before the read back were taken for ours once that failed",
    "workspaces:RemoteStateConsumers",
    "update",
    trouble(3, "a stranger's edit just before"),
    trouble(4, "200 with HTML, not carried out"),
  ],
  [
    "consumers that somebody took out while ours were looked for were brought back unseen",
    "workspaces:RemoteStateConsumers",
    "update, way 2",
    trouble(2, "carried out after the looks"),
    trouble(4, "a stranger's delete just after"),
  ],
  [
    "the same of consumers of a list that is shared with others",
    "workspaces:RemoteStateConsumers",
    "create, where what is identical is taken over",
    trouble(3, "a stranger's edit just before"),
    trouble(4, "403 in mid-operation"),
  ],
  [
    "what somebody added to an entry whose create was not answered was taken for the service's",
    "mesh:ApiGateway",
    "create",
    trouble(1, "504 of a gateway, carried out"),
    trouble(2, "a stranger's edit just before"),
  ],
  [
    "the same of an update",
    "mesh:TcpRoute",
    "update of spec",
    trouble(0, "200 with {}, carried out"),
    trouble(1, "a stranger's edit just before"),
  ],
  [
    "nothing was written, it said, of a delete that was, and of what somebody wrote there since",
    "secrets:QueueRole",
    "delete",
    trouble(1, "200 with an empty body, carried out"),
    trouble(2, "a stranger's edit just before"),
  ],
  [
    "nothing was done, it said, of a start that was still on its way",
    "secrets:RecoveryKeyRekey",
    "create",
    trouble(1, "503 of a gateway, carried out 25 s later"),
    trouble(3, "a stranger does the same just after"),
  ],
  [
    "a workspace that came late, once ours was taken away, is another one, and that is told",
    "workspaces:Workspace",
    "create",
    trouble(0, "503 of a gateway, carried out 1.5 s later"),
    trouble(3, "a stranger's delete just after"),
  ],
  [
    "a rekey that is started late, once its up was killed and the next one is done, nobody can know of",
    "secrets:RecoveryKeyRekey",
    "create",
    trouble(1, "503 of a gateway, carried out 1.5 s later"),
    trouble(3, "killed when it is carried out"),
  ],
  [
    "consumers that an import was not shown are not of it, and are not taken away by a destroy",
    "workspaces:RemoteStateConsumers",
    "import",
    trouble(0, "503 of a gateway, not carried out"),
    trouble(2, "a list that lacks half of a page"),
  ],
  [
    "a rekey that somebody cancels just before it is cancelled is cancelled all the same",
    "secrets:RecoveryKeyRekey",
    "create",
    trouble(3, "200 with HTML, carried out"),
    trouble(7, "a stranger undoes it just before"),
  ],
  [
    "an account that was lent unseen, and checked in by somebody, was told as never lent",
    "secrets:LibraryCheckOut",
    "create",
    trouble(1, "200 with {}, carried out"),
    trouble(2, "a stranger undoes it just before"),
  ],
  [
    "a lock that was sent twice, and replaced by somebody, was told as never written",
    "workspaces:WorkspaceLock",
    "create",
    trouble(1, "carried out twice, the second answered"),
    trouble(2, "a stranger does the same just before"),
  ],
  [
    "an update that was sent twice, before somebody took the object away, was told as never written",
    "scheduler:Job",
    "adopt",
    trouble(2, "carried out twice, the second answered"),
    trouble(3, "a stranger's delete just before"),
  ],
  [
    "what somebody made is gone over where the look before is answered from before that",
    "workspaces:DataRetentionPolicy",
    "create",
    trouble(0, "a stranger's edit just before"),
    trouble(1, "read from before the latest write"),
  ],
  [
    "a cancel that comes late ends the rekey after it, as it was told",
    "secrets:RecoveryKeyRekey",
    "resumed with the shares that were missing",
    trouble(2, "200 with {}, carried out"),
    trouble(6, "the connection reset, carried out 25 s later"),
  ],
  [
    "a rekey was given up by one answer from before it was started",
    "secrets:RecoveryKeyRekey",
    "create",
    trouble(2, "the connection reset, carried out 25 s later"),
    trouble(5, "read from before the latest write"),
    "told",
  ],
  [
    "a cancel that came late took the next rekey away",
    "secrets:RecoveryKeyRekey",
    "create",
    trouble(3, "the service's clock an hour behind, and the answer lost"),
    trouble(7, "503 of a gateway, carried out 1.5 s later"),
  ],
  [
    "an account that a request sent twice had taken was never given back",
    "secrets:LibraryCheckOut",
    "create",
    trouble(0, "a stranger does the same just after"),
    trouble(1, "carried out twice, the second answered"),
  ],
  [
    "what a create had made was told as somebody's, once the try after it was asked to wait",
    "secrets:LibrarySet",
    "create",
    trouble(1, "the connection reset, carried out 1.5 s later"),
    trouble(3, "429"),
    "unharmed",
  ],
  [
    "the same where the service checks",
    "mesh:ServiceRouter",
    "create",
    trouble(1, "the connection reset, carried out 1.5 s later"),
    trouble(3, "429"),
    "unharmed",
  ],
  [
    "what somebody made just as written, after a create that may come late, was deleted and made anew",
    "secrets:CloudStaticRole",
    "create",
    trouble(1, "cancelled before it is sent"),
    trouble(6, "a stranger's equal create just after"),
    "told",
  ],
  [
    "consumers that somebody took out while the answer was open cannot be told from ones that were never put in",
    "workspaces:RemoteStateConsumers",
    "create",
    trouble(2, "200 with HTML, carried out"),
    trouble(3, "a stranger's edit just before"),
  ],
  [
    "a workspace that came late, once ours was renamed, is another one",
    "workspaces:Workspace",
    "create, where what is identical is taken over",
    trouble(0, "the connection reset, carried out 25 s later"),
    trouble(3, "a stranger's edit just after"),
  ],
  [
    "the same where it was to be taken over",
    "workspaces:Workspace",
    "adopt",
    trouble(0, "the connection reset, carried out 25 s later"),
    trouble(1, "a stranger's edit just after"),
  ],
  [
    "a lock that somebody else holds since was taken for an end that no person has to see to",
    "workspaces:WorkspaceLock",
    "refresh",
    trouble(0, "carried out, the answer too late"),
    trouble(1, "a stranger does the same just before"),
  ],
];

const told = PAIRS.map(([why, token, name, one, two, ends]) => ({ why, token, name, one, two, ends }));

test.each(told)("$why ($token, $name)", async ({ token, name, one, two, ends }) => {
  const makes = all.flatMap(([each, make]) => (each === token ? [make] : []));
  let happened = 0;
  for (const make of makes) {
    const tried = await make();
    const can = capabilityOf(tried.definition);
    for (const life of (await tried.lives()).filter((each) => each.name === name)) {
      const [free, alone] = [await courseOf(tried, life), await courseOf(tried, life, one)];
      const result = await triedPair(tried, life, { free, can, alone }, [one, two]);
      if (result) happened += 1;
      expect(result?.told ?? "").not.toContain('"wrong"');
      if (result && ends) expect(result.verdict).toEqual({ outcome: ends });
    }
  }
  expect(happened).toBeGreaterThan(0);
});
