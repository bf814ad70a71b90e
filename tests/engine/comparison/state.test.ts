import { compare } from "./compare";
import { Thing } from "./thing";

const program = (value: number) => async () => {
  const thing = new Thing("one", { value });
  return { computed: thing.computed };
};

/** The operation that a killed engine would have left on record. */
const interrupt =
  (type: string) =>
  (deployment: { resources: Record<string, unknown>[]; pending_operations?: unknown[] }) => {
    const resource = deployment.resources.find(({ id }) => id === "one-1");
    const urn = String(resource?.urn).replace(/::one$/, "::lost");
    deployment.pending_operations = [
      { resource: type === "creating" ? { ...resource, urn, id: "" } : resource, type },
    ];
  };

compare("an interrupted creation is warned of until somebody deals with it", async (stack) => {
  await stack.up(program(1));
  await stack.state(interrupt("creating"));
  await stack.preview(program(1));
  await stack.up(program(1));
  await stack.up(program(2));
  await stack.refresh(program(2));
  await stack.refresh(program(2), { clearPendingCreates: true });
  await stack.up(program(2));
});

compare("an interrupted update is warned of once", async (stack) => {
  await stack.up(program(1));
  await stack.state(interrupt("updating"));
  await stack.up(program(2));
  await stack.up(program(2));
});

compare("an interrupted deletion is settled by a refresh", async (stack) => {
  await stack.up(program(1));
  await stack.state(interrupt("deleting"));
  await stack.refresh(program(1));
  await stack.destroy(program(1));
});

compare("a state that was exported and imported is the same state", async (stack) => {
  await stack.config("token", "hidden", true);
  await stack.up(program(1));
  await stack.state(() => {});
  await stack.up(program(1));
  await stack.destroy(program(1));
});
