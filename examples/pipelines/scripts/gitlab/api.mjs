// GitLab's API by curl. The token goes in by the standard input, so that no list of processes and no log shows it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printed, variable } from "../run.mjs";

/** Asks for something of this project, and answers the text. */
export function asked(path, { method = "GET", body } = {}) {
  const url = `${variable("CI_API_V4_URL")}/projects/${encodeURIComponent(variable("CI_PROJECT_ID"))}/${path}`;
  const folder = mkdtempSync(join(tmpdir(), "gitlab-"));
  try {
    const file = join(folder, "body.json");
    if (body !== undefined) writeFileSync(file, JSON.stringify(body));
    const sent =
      body === undefined ? [] : ["--header", "Content-Type: application/json", "--data-binary", `@${file}`];
    const how = [
      "--fail",
      "--silent",
      "--show-error",
      "--location",
      // A write whose answer was lost may have been done.
      ...(method === "GET" ? ["--retry", "3"] : []),
      "--request",
      method,
      ...sent,
    ];
    const token = `header = ${JSON.stringify(`PRIVATE-TOKEN: ${variable("GITLAB_TOKEN")}`)}\n`;
    return printed("curl", [...how, "--config", "-", url], { input: token });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A list, whose pages are read one after another. */
export function listed(path) {
  const all = [];
  for (let page = 1; ; page += 1) {
    const items = JSON.parse(asked(`${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`));
    all.push(...items);
    if (items.length < 100) return all;
  }
}
