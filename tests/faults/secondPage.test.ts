import { onSecondPage } from "./onSecondPage";
import { runScenario } from "./scenarioRun";

// A scenario with many objects is slow on a busy machine.
jest.setTimeout(120_000);

test.each(onSecondPage)("a %s is found on the second page of its list", async (_, make) => {
  const tried = await make();
  for (const life of await tried.lives()) {
    const { requests } = await runScenario(tried, life);
    const pages = requests.map(({ target }) => new URLSearchParams(target.split("?")[1]).get("page[number]"));
    expect(pages).toEqual(["1", "2"]);
  }
});
