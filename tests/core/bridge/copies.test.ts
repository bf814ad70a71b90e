import { copiesIn } from "../../../provider/core/bridge/copies";
import { withAside } from "../../../provider/core/value/aside";
import workspace from "../../../provider/services/workspaces/workspace";

const inputs = withAside({ name: "hush-hush", description: "plain words" }, { secrets: ["name"] });
const isCopy = copiesIn(workspace, {}, inputs);

test("a text that a service makes of what a program marked is secret, and no other output is", () => {
  expect(isCopy(["htmlUrl"], "https://cloud.example/app/acme/workspaces/hush-hush")).toBe(true);
  expect(isCopy(["htmlUrl"], "https://cloud.example/app/acme/workspaces/other")).toBe(false);
  expect(isCopy(["source"], "plain words")).toBe(false);
});

test("what the program writes itself is marked where it marked it, and nowhere else", () => {
  expect(isCopy(["description"], "about hush-hush")).toBe(false);
});

test("a short text is a word that means something else in another place", () => {
  const short = copiesIn(workspace, {}, withAside({ name: "app" }, { secrets: ["name"] }));
  expect(short(["htmlUrl"], "https://cloud.example/app/acme")).toBe(false);
});
