import { compare } from "./compare";
import type { ExportedDeployment } from "./outcome";
import { Thing } from "./thing";

const program = (value: number) => async () => {
  const thing = new Thing("one", { value });
  return { computed: thing.computed };
};

/** Adds the pending operation that a killed engine would have left. */
const interrupt = (type: string) => (deployment: ExportedDeployment) => {
  const resource = deployment.resources?.find(({ id }) => id === "one-1");
  if (!resource) throw new Error("there is no resource to interrupt");
  const { id: _, ...unmade } = resource;
  const lost = { ...unmade, urn: resource.urn.replace(/::one$/, "::lost") };
  deployment.pending_operations = [{ resource: type === "creating" ? lost : resource, type }];
};

compare("warns about an interrupted create until it is cleared", async (stack) => {
  await stack.up(program(1));
  stack.checkpoint(interrupt("creating"));
  await stack.preview(program(1));
  await stack.up(program(1));
  await stack.up(program(2));
  await stack.refresh(program(2));
  await stack.refresh(program(2), { clearPendingCreates: true });
  await stack.up(program(2));
});

compare("warns once about an interrupted update", async (stack) => {
  await stack.up(program(1));
  stack.checkpoint(interrupt("updating"));
  await stack.up(program(2));
  await stack.up(program(2));
});

compare("a refresh resolves an interrupted delete", async (stack) => {
  await stack.up(program(1));
  stack.checkpoint(interrupt("deleting"));
  await stack.refresh(program(1));
  await stack.destroy(program(1));
});

compare("an exported and imported state shows no changes", async (stack) => {
  await stack.config("token", "hidden", true);
  await stack.up(program(1));
  await stack.transfer(() => {});
  await stack.up(program(1));
  await stack.destroy(program(1));
});

compare("an imported deployment drops pending operations", async (stack) => {
  await stack.up(program(1));
  await stack.transfer(interrupt("creating"));
  await stack.up(program(1));
});
