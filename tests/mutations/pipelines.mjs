const tests = ["tests/pipelines"];

/** The steps of the pipelines: what is not reviewed is not applied, and what is secret is not shown. */
export const pipelines = [
  {
    what: "a second preview that has changed is not carried out",
    find: "if (differences.length > 0)",
    replace: "if (differences.length > 100)",
    tests,
  },
  {
    what: "a comment has its steps in one order, in whatever they came",
    find: ".sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));",
    replace: ";",
    tests,
  },
  {
    what: "what is not planned is found before anything is written",
    find: 'up(["--plan", file]);',
    replace: 'up(["--skip-preview", "--plan", file]);',
    tests,
  },
  {
    what: "what is applied with another configuration is not what was reviewed",
    find: "if (reviewed.configuration !== configuration())",
    replace: 'if (reviewed.configuration === "")',
    tests,
  },
  {
    what: "a plan is encrypted on its way",
    find: 'sealed(readFileSync(plan, "utf8"), key)',
    replace: 'readFileSync(plan, "utf8")',
    tests,
  },
  {
    what: "a plan that was changed on its way is refused",
    find: '"the plan was changed on its way, or sealed with another PIPELINE_PLAN_KEY"',
    replace: '"the plan is not applied"',
    tests,
  },
  {
    what: "a push brings the comment up to date, and makes no other",
    find: "pages.flat().find((comment) => comment.body.startsWith(mark))",
    replace: "pages.flat().find((comment) => comment.body === mark)",
    tests,
  },
  {
    what: "what GitLab lists is read to its last page",
    find: "if (items.length < 100) return all;",
    replace: "return all;",
    tests,
  },
  {
    what: "a write to GitLab is never repeated",
    find: '...(method === "GET" ? ["--retry", "3"] : []),',
    replace: '...["--retry", "3"],',
    tests,
  },
  {
    what: "GitLab's token is in no list of processes",
    find: '"--config", "-", url], { input: token }',
    replace: '"--header", token, url]',
    tests,
  },
  {
    what: "a drift that is over closes its issue",
    find: 'printed("gh", ["issue", "close", String(known), "--comment", "Everything is in sync again."]);',
    replace: 'printed("gh", ["label", "create", "drift"]);',
    tests,
  },
  {
    what: "a preview that failed fails its job",
    find: 'throw new Failed("the preview failed");',
    replace: 'console.error("the preview failed");',
    tests,
  },
];
