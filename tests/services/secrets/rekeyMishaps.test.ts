import type { Values } from "../../../provider/core/language/object";
import recoveryKeyVerification from "../../../provider/services/secrets/recoveryKeyVerification";
import { Resource } from "../../steps/resource";
import { delivered, inTrouble, MISHAPS, up } from "./mishaps";
import { ceremony, expectNoneTwice, FIRST, keysOf, make, program } from "./rekeyScene";

describe.each(MISHAPS)("a ceremony with one request %s", (mishap) => {
  const kinds: [string, Values][] = [
    ["with verification", {}],
    [
      "with a backup",
      { requireVerification: false, backup: true, pgpKeys: [btoa("a"), btoa("b"), btoa("c")] },
    ],
    ["with neither", { requireVerification: false }],
  ];

  test.each(kinds)(
    "%s gives no share twice under one nonce, and ends with the key or with a named loss",
    async (_, kind) => {
      for (let at = 0; at < 12; at++) {
        const { rekey, world } = await ceremony();
        const reached = delivered(world);
        const inputs: Values = { ...program, ...kind };
        const happened = await inTrouble(rekey, { at, mishap }, () => rekey.create(inputs));
        let refusal = "";
        for (let tries = 0; tries < 4; tries++) {
          // Whoever reads that a killed process has left a rekey behind cancels it.
          const cancelling = refusal.includes("cancelRunning: true")
            ? { ...inputs, cancelRunning: true }
            : inputs;
          refusal = await up(rekey, cancelling).then(
            () => "",
            (error: unknown) => String(error),
          );
          if (refusal === "") break;
        }
        expectNoneTwice(reached);
        if (refusal === "") {
          expect(["complete", "verification"]).toContain(rekey.outputs.phase);
          expect(keysOf(rekey)).toHaveLength(3);
        } else {
          // Only without verification can anything be lost that nobody can make again.
          expect(kind.requireVerification).toBe(false);
          expect(refusal).toMatch(/were lost with the answer|the service made no key of them/);
        }
        if (!happened) break;
      }
    },
  );

  test("goes on from a half-made rekey without giving a share twice", async () => {
    for (let at = 0; at < 10; at++) {
      const { rekey, world } = await ceremony();
      const reached = delivered(world);
      await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
      const happened = await inTrouble(rekey, { at, mishap }, () => rekey.update(program));
      let refusal = "";
      for (let tries = 0; tries < 4 && rekey.outputs.phase === "started"; tries++) {
        const cancelling = refusal.includes("cancelRunning: true")
          ? { ...program, cancelRunning: true }
          : program;
        refusal = await rekey.update(cancelling).then(() => "", String);
      }
      expect(rekey.outputs.phase).toBe("verification");
      expectNoneTwice(reached);
      if (!happened) break;
    }
  });

  test("verifies without giving a new share twice, and ends with the new key", async () => {
    for (let at = 0; at < 12; at++) {
      const { rekey, world } = await ceremony(program);
      const reached = delivered(world);
      const verification = new Resource(world, recoveryKeyVerification);
      const inputs: Values = { rekeyNonce: String(rekey.outputs.nonce), shares: keysOf(rekey) };
      const happened = await inTrouble(verification, { at, mishap }, () => verification.create(inputs));
      let refusal = "";
      for (let tries = 0; tries < 4; tries++) {
        // Whoever reads that it is over looks, and takes it for verified.
        const adopting = refusal.includes("adopt: true") ? { ...inputs, adopt: true } : inputs;
        refusal = await up(verification, adopting).then(
          () => "",
          (error: unknown) => String(error),
        );
        if (refusal === "") break;
      }
      expect(refusal).toBe("");
      expect(verification.outputs.phase).toBe("complete");
      expectNoneTwice(reached);
      expect(await make(world, keysOf(rekey))).toBe(true);
      if (!happened) break;
    }
  });
});
