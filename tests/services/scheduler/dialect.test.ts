import { renameMembers } from "../../../provider/core/requests/dialect";
import { scheduler } from "../../../provider/services/scheduler/service";

const { real } = scheduler.dialects;

test.each([
  { Secrets: { Role: "app" }, SecretBlocks: [{ Name: "a" }] },
  { SecretBlocks: [{ Name: "a" }], Secrets: { Role: "app" } },
  { Secrets: null, SecretBlocks: [{ Name: "a" }] },
  { SecretBlocks: null, Secrets: { Role: "app" } },
])("a task's %j keeps both members on its way to the product and back, in whatever order", (task) => {
  if (real === undefined) throw new Error("there is no real dialect");
  const job = { TaskGroups: [{ Tasks: [task] }] };
  const there = renameMembers(job, real, "dialect");
  expect(there.TaskGroups[0]?.Tasks[0]).toEqual({ Vault: task.Secrets, Secrets: task.SecretBlocks });
  expect(renameMembers(there, real, "specification")).toEqual(job);
});
