// Builds the documentation site of website/, and tests it: every link and anchor, the results of the search, and the site in
// headless Chromium. Without Chromium on the PATH, it skips the tests in the browser.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { miniSearch } from "../website/.vitepress/search.mjs";
import { chromium, openBrowser } from "./website/browser.mjs";
import { brokenLinks } from "./website/links.mjs";
import { serve } from "./website/serve.mjs";

const SITE = join(import.meta.dirname, "../website");
const DIST = join(SITE, ".vitepress/dist");
const { resolve } = createRequire(join(SITE, "package.json"));

/** Searches, each with a page that must be the first or second result. */
const SEARCHES = {
  okta: ["/reference/secrets-MfaMethod.html"],
  "rabbitmq role": ["/reference/secrets-QueueRole.html"],
  vault_ldap_secret_backend_static_role: ["/reference/secrets-DirectoryStaticRole.html"],
  "nomad job drift": ["/drift.html", "/reference/scheduler-Job.html"],
};

/** Pages with tables, alerts, pictures, and text that looks like a Vue template. */
const VISITED = ["/", "/overview.html", "/conflicts.html", "/drift.html", "/reference/scheduler-Job.html"];

const BUILD_MINUTES = 10;
const BROWSER_SECONDS = 180;

const totals = { passed: 0, failed: 0 };

function check(name, problems) {
  totals[problems.length === 0 ? "passed" : "failed"] += 1;
  if (problems.length > 0) console.error(`FAIL ${name}\n  ${problems.join("\n  ")}`);
}

/** Installs the locked dependencies, if they are missing or older than the lock file. */
function install() {
  const installed = join(SITE, "node_modules/.package-lock.json");
  const modified = (file) => statSync(file).mtimeMs;
  if (existsSync(installed) && modified(installed) >= modified(join(SITE, "package-lock.json"))) return;
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: SITE,
    stdio: ["ignore", "inherit", "inherit"],
  });
}

function build() {
  const command = join(resolve("vitepress/package.json"), "../bin/vitepress.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, "build"], {
    cwd: SITE,
    encoding: "utf8",
    timeout: BUILD_MINUTES * 60_000,
    killSignal: "SIGKILL",
  });
  check("the site builds without dead links", status === 0 ? [] : [stdout, stderr]);
  return status === 0;
}

const problemsOf = (query, results) => {
  const found = results.slice(0, 2).map((address) => address.replace(/#.*$/, ""));
  return SEARCHES[query].some((page) => found.includes(page))
    ? []
    : [`found ${found.join(", ") || "nothing"}`];
};

/** Searches in the built index, with the settings that the site uses. */
async function testIndex() {
  const chunks = join(DIST, "assets/chunks");
  const index = readdirSync(chunks).find((name) => name.startsWith("@localSearchIndexroot"));
  const { default: json } = await import(pathToFileURL(join(chunks, index)).href);
  const { default: MiniSearch } = await import(pathToFileURL(resolve("minisearch")).href);
  const { options, searchOptions } = miniSearch;
  const fields = { fields: ["title", "titles", "text"], storeFields: ["title", "titles"] };
  const search = MiniSearch.loadJSON(json, { ...fields, ...options, searchOptions });
  for (const query of Object.keys(SEARCHES))
    check(
      `search index: ${query}`,
      problemsOf(
        query,
        search.search(query).map(({ id }) => id),
      ),
    );
}

async function testBrowser(program) {
  const server = await serve(DIST);
  const browser = await openBrowser(program, BROWSER_SECONDS);
  try {
    for (const path of VISITED) {
      await browser.open(server.address + path);
      const isRendered = await browser.waitFor("document.querySelector('main h1, .VPHero h1') !== null");
      check(`browser: ${path}`, isRendered ? [] : ["the page has no heading"]);
    }
    const isDark = "document.documentElement.classList.contains('dark')";
    const before = await browser.evaluate(isDark);
    await browser.evaluate("document.querySelector('.VPNavBarAppearance .VPSwitchAppearance')?.click()");
    const isSwitched = await browser.waitFor(`${isDark} !== ${before}`);
    check("browser: the dark mode switch", isSwitched ? [] : ["it does not change the mode"]);
    await browser.evaluate("document.querySelector('.VPNavBarSearch button').click()");
    for (const query of Object.keys(SEARCHES))
      check(`browser: search ${query}`, problemsOf(query, await searchIn(browser, query)));
    check("browser: the console has no errors", browser.errors);
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Types a query into the search box, and returns the addresses of the results. */
async function searchIn(browser, query) {
  const type = (text) => `{
    const box = document.querySelector("#localsearch-input");
    box.value = ${JSON.stringify(text)};
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }`;
  const results = "[...document.querySelectorAll('.VPLocalSearchBox a.result')].map((link) => link.pathname)";
  if (!(await browser.waitFor("document.querySelector('#localsearch-input') !== null")))
    return ["no search box"];
  await browser.evaluate(type(""));
  await browser.waitFor(`${results}.length === 0`);
  await browser.evaluate(type(query));
  await browser.waitFor(`${results}.length > 0`);
  return browser.evaluate(results);
}

install();
if (build()) {
  const pages = globSync("**/*.html", { cwd: DIST });
  check("every link of the site leads to a page and a heading", brokenLinks(DIST, pages));
  await testIndex();
  const program = chromium();
  if (program === undefined)
    console.log("website: no Chromium on the PATH, so the tests in the browser are skipped");
  else await testBrowser(program);
}
console.log(`website: ${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;
