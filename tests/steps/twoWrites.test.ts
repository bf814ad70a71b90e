import { play } from "./stories";
import { workspaceSubject } from "./subjects/workspace";

// An update of a workspace sends two PATCH requests to the same path: its settings, and the removal of key-value tags.
test("a write that was canceled before it was sent is not mistaken for an applied write to the same path", async () => {
  await play(workspaceSubject, { name: "app", tagNames: ["team:web"], tagBindings: { env: "a" } }, [
    { kind: "end within", end: "canceled", isCarriedOut: true, at: 4 },
    { kind: "up", who: 1, program: { name: "app", projectId: "prj-platform" }, overwrites: false },
  ]);
});
