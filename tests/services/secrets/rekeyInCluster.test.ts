import recoveryKeyRekey from "../../../provider/services/secrets/recoveryKeyRekey";
import recoveryKeyVerification from "../../../provider/services/secrets/recoveryKeyVerification";
import { Resource } from "../../steps/resource";
import type { Fate } from "../../steps/world";
import { REAL } from "./real";
import { ceremony, keysOf, program, VERIFY } from "./rekeyScene";

const ACTIVE = "http://active.invalid";
const NEXT = "http://next.invalid";

/** A verification of which one share is missing, and what happens as that is sent. */
async function almost(happens: "lost with its server" | "taken as its server ended") {
  const staged = await ceremony();
  const { stub } = staged.world;
  stub.configure({ dialect: "real", activeServer: ACTIVE });
  const world = staged.world.with({ ...REAL, address: ACTIVE });
  const rekey = new Resource(world, recoveryKeyRekey);
  await rekey.create(program);
  const verification = new Resource(world, recoveryKeyVerification);
  const inputs = { rekeyNonce: String(rekey.outputs.nonce), shares: keysOf(rekey) };
  let given = 0;
  const elsewhere = new Resource(world.another(), recoveryKeyRekey);
  elsewhere.outputs = rekey.outputs;
  const end = () => {
    stub.configure({ dialect: "real", activeServer: NEXT });
    // Who is active is believed for a while.
    world.now += 60_000;
  };
  world.fate = async ({ method, path }): Promise<Fate> => {
    if (method !== "POST" || !path.endsWith(VERIFY) || ++given < 2) return "passes";
    if (happens !== "lost with its server") return "response lost";
    // What is in the memory of a server goes with it.
    await elsewhere.delete();
    end();
    return "passes";
  };
  world.afterwards = ({ method, path }) => {
    if (happens === "taken as its server ended" && method === "POST" && path.endsWith(VERIFY) && given === 2)
      end();
  };
  return { verification, inputs, world };
}

test("a last new share that is lost with the active server completes nothing, and nobody says so", async () => {
  const { verification, inputs } = await almost("lost with its server");
  await expect(verification.create(inputs)).rejects.toThrow(
    /that share completed it.*or it was lost with the active server.*keep the shares of both/s,
  );
  expect(verification.outputs.phase).not.toBe("complete");
  await expect(verification.up(inputs)).rejects.toThrow("lost with an active server that ended");
  await verification.up({ ...inputs, adopt: true });
  expect(verification.outputs.phase).toBe("complete");
});

test("a last new share whose answer is lost with the active server is open", async () => {
  const { verification, inputs } = await almost("taken as its server ended");
  await expect(verification.create(inputs)).rejects.toThrow(
    "Nothing on the service tells which key is in force",
  );
});
