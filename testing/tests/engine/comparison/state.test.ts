import { compare } from "./compare";
import type { ExportedDeployment } from "./outcome";
import { Thing } from "./thing";

const program = (value: number) => async () => {
  const thing = new Thing("one", { value });
  return { computed: thing.computed };
};

/** Leaves the operation on record that a killed engine would have left. */
const interrupt = (type: string) => (deployment: ExportedDeployment) => {
  const resource = deployment.resources?.find(({ id }) => id === "one-1");
  if (!resource) throw new Error("there is no resource to interrupt");
  const { id: _, ...unmade } = resource;
  const lost = { ...unmade, urn: resource.urn.replace(/::one$/, "::lost") };
  deployment.pending_operations = [{ resource: type === "creating" ? lost : resource, type }];
};

compare("an interrupted creation is warned of until somebody deals with it", async (stack) => {
  await stack.up(program(1));
  stack.checkpoint(interrupt("creating"));
  await stack.preview(program(1));
  await stack.up(program(1));
  await stack.up(program(2));
  await stack.refresh(program(2));
  await stack.refresh(program(2), { clearPendingCreates: true });
  await stack.up(program(2));
});

compare("an interrupted update is warned of once", async (stack) => {
  await stack.up(program(1));
  stack.checkpoint(interrupt("updating"));
  await stack.up(program(2));
  await stack.up(program(2));
});

compare("an interrupted deletion is settled by a refresh", async (stack) => {
  await stack.up(program(1));
  stack.checkpoint(interrupt("deleting"));
  await stack.refresh(program(1));
  await stack.destroy(program(1));
});

compare("a state that was exported and imported is the same state", async (stack) => {
  await stack.config("token", "hidden", true);
  await stack.up(program(1));
  await stack.transfer(() => {});
  await stack.up(program(1));
  await stack.destroy(program(1));
});

compare("an import forgets what was under way", async (stack) => {
  await stack.up(program(1));
  await stack.transfer(interrupt("creating"));
  await stack.up(program(1));
});
