// Calls GitLab's API with curl. The token is passed on the standard input, so it is not in the process list or in a log.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printed, variable } from "../run.mjs";

/** Sends a request for this project, and returns the text of the response. */
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
      // A write is not repeated: after a lost response, the server may have applied it.
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

/** Returns all items of a list, page by page. */
export function listed(path) {
  const all = [];
  for (let page = 1; ; page += 1) {
    const items = JSON.parse(asked(`${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`));
    all.push(...items);
    if (items.length < 100) return all;
  }
}
