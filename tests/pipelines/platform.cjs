// A stand-in for `gh`, and for `curl` to GitLab's API: a forge in one file, which records every call. It rejects
// unknown calls, so that a step that makes one fails.
const { cpSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const [program, ...args] = process.argv.slice(2);
const folder = process.env.STAND_IN;
const file = join(folder, "forge.json");
const forge = JSON.parse(readFileSync(file, "utf8"));
const input = args.includes("--config") ? readFileSync(0, "utf8") : "";
forge.calls.push({ program, args, input });

const after = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
const say = (value) => console.log(JSON.stringify(value));

function refuse() {
  writeFileSync(file, JSON.stringify(forge));
  console.error(`the stand-in for ${program} does not know: ${args.join(" ")}`);
  process.exit(1);
}

const next = (list) => list.length + 1;
const find = (list, id) => list.find((each) => String(each.id) === String(id)) ?? refuse();

function gh() {
  if (process.env.GH_TOKEN !== forge.token) refuse();
  const [noun, verb, subject] = args;
  if (noun === "api") {
    const path = args.find((arg) => arg.startsWith("repos/acme/infra/"))?.slice("repos/acme/infra/".length);
    const body = after("--input") && JSON.parse(readFileSync(after("--input"), "utf8")).body;
    const [, comment] = /^issues\/comments\/(\d+)$/.exec(path) ?? [];
    if (path === "issues/7/comments" && after("--method") === "POST")
      forge.comments.push({ id: next(forge.comments), body });
    else if (path === "issues/7/comments" && args.includes("--slurp"))
      say([[{ id: 99, body: "LGTM" }], forge.comments]);
    else if (comment && after("--method") === "PATCH") find(forge.comments, comment).body = body;
    else if (path === `commits/${forge.merge}/pulls`)
      say([
        { number: 6, merged_at: null, head: { sha: "other" } },
        { number: 7, merged_at: "now", head: { sha: "head" } },
      ]);
    else refuse();
  } else if (`${noun} ${verb}` === "run list") {
    if (
      after("--workflow") !== "preview.yml" ||
      after("--commit") !== "head" ||
      after("--status") !== "success"
    )
      refuse();
    say(forge.isReviewed ? [{ databaseId: 12 }] : []);
  } else if (`${noun} ${verb}` === "run download") {
    if (subject !== "12" || after("--name") !== "review") refuse();
    cpSync(join(folder, "review"), after("--dir"), { recursive: true });
  } else if (`${noun} ${verb}` === "label create") {
    forge.labels = [subject];
  } else if (noun === "issue") {
    const text = after("--body-file") && readFileSync(after("--body-file"), "utf8");
    const shown = ({ id, title }) => ({ number: id, title });
    if (verb === "list" && after("--state") === "open")
      say(forge.issues.filter(({ open, label }) => open && label === after("--label")).map(shown));
    else if (verb === "create" && forge.labels?.includes(after("--label")))
      forge.issues.push({
        id: next(forge.issues),
        title: after("--title"),
        label: after("--label"),
        text,
        open: true,
      });
    else if (verb === "edit") find(forge.issues, subject).text = text;
    else if (verb === "close") find(forge.issues, subject).open = false;
    else refuse();
  } else refuse();
}

function curl() {
  const header = `header = "PRIVATE-TOKEN: ${forge.token}"\n`;
  const start = "https://gitlab.example.com/api/v4/projects/acme%2Finfra/";
  const url = args.at(-1);
  if (input !== header || !url.startsWith(start) || !args.includes("--fail")) refuse();
  if (args.includes("--retry") && after("--request") !== "GET") refuse();
  const [path, query = ""] = url.slice(start.length).split("?");
  const data = after("--data-binary");
  const body = data && JSON.parse(readFileSync(data.slice(1), "utf8"));
  const what = `${after("--request")} ${path}`;
  const asked = new URLSearchParams(query);
  // A list has pages, and the second contains the real content.
  const list = (all) =>
    say(asked.get("page") === "1" ? new Array(100).fill({ body: "", title: "", state: "opened" }) : all);
  const [, note] = /^PUT merge_requests\/7\/notes\/(\d+)$/.exec(what) ?? [];
  const [, issue] = /^PUT issues\/(\d+)$/.exec(what) ?? [];
  const [, artifact] = /^GET jobs\/34\/artifacts\/review\/([\w.]+)$/.exec(what) ?? [];
  if (what === "GET merge_requests/7/notes") list(forge.comments);
  else if (what === "POST merge_requests/7/notes")
    forge.comments.push({ id: next(forge.comments), body: body.body });
  else if (note) find(forge.comments, note).body = body.body;
  else if (what === `GET repository/commits/${forge.merge}/merge_requests`)
    list([{ iid: 7, state: "merged" }]);
  else if (what === "GET merge_requests/7/pipelines")
    list([{ id: 13, status: "failed" }, ...(forge.isReviewed ? [{ id: 12, status: "success" }] : [])]);
  else if (what === "GET pipelines/12/jobs" && asked.get("scope[]") === "success")
    list([{ id: 34, name: "preview" }]);
  else if (artifact) process.stdout.write(readFileSync(join(folder, "review", artifact)));
  else if (what === "GET issues" && asked.get("state") === "opened")
    list(
      forge.issues
        .filter(({ open, label }) => open && label === asked.get("labels"))
        .map((each) => ({ ...each, iid: each.id })),
    );
  else if (what === "POST issues")
    forge.issues.push({
      id: next(forge.issues),
      title: body.title,
      label: body.labels,
      text: body.description,
      open: true,
    });
  else if (issue && body.state_event === "close") find(forge.issues, issue).open = false;
  else if (issue) find(forge.issues, issue).text = body.description;
  else refuse();
}

if (program === "gh") gh();
else curl();
writeFileSync(file, JSON.stringify(forge));
