import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { htmlOf } from "../../cli/drift/writers/page/html";
import { Browser, chromium } from "./browser";
import { everything, reportOf, reports, verdictOf } from "./reports";

// Uses a real browser: Debian's package `chromium`, or a related one.
const tried = chromium === undefined ? describe.skip : describe;

tried("drift page in a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  let browser: Browser;
  beforeAll(async () => {
    browser = await Browser.start(chromium ?? "");
  }, 60_000);
  afterAll(async () => {
    await browser.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const show = async (page: string) => {
    const path = join(folder, "drift.html");
    writeFileSync(path, page);
    browser.events.length = 0;
    await browser.show(path);
  };
  const shown = () =>
    browser.value<string[]>(
      "[...document.querySelectorAll('[data-verdict]:not([hidden]) .name')].map((one) => one.textContent)",
    );
  const press = (word: string) => browser.value(`document.querySelector('[data-word="${word}"]').click()`);
  const find = (text: string) =>
    browser.value(
      `{ const find = document.querySelector("#find"); find.value = ${JSON.stringify(text)}; find.dispatchEvent(new Event("input")); }`,
    );
  const color = (of: string, property: string) =>
    browser.value<string>(`getComputedStyle(document.querySelector(${JSON.stringify(of)})).${property}`);

  test("lists problems first, filters by verdict and text, and shows the number of matches", async () => {
    await show(htmlOf(everything));
    expect((await shown()).slice(0, 4)).toEqual(["app-4", "api", "app-2", "app-7"]);
    expect(await browser.value("document.querySelector('#shown').textContent")).toBe("19 resources");
    await press("in sync");
    await press("ignored");
    expect(await shown()).toEqual(["app-4", "api", "app-2", "app-7"]);
    expect(await browser.value("document.querySelector('#shown').textContent")).toBe("4 of 19");
    await find("rabbitMQ vhosts");
    expect(await shown()).toEqual(["app-7"]);
    await find("no such thing");
    expect(await shown()).toEqual([]);
    expect(await browser.value("document.querySelector('.nothing').hidden")).toBe(false);
    await find("");
    await press("in sync");
    expect(await shown()).toHaveLength(17);
  });

  test("sends no other request, and logs no errors", async () => {
    await show(htmlOf(everything));
    const asked = browser.events.filter(({ method }) => method === "Network.requestWillBeSent");
    expect(asked.map(({ params }) => (params as { request: { url: string } }).request.url)).toEqual([
      `file://${join(folder, "drift.html")}`,
    ]);
    const complaints = browser.events.filter(
      ({ method }) =>
        method === "Log.entryAdded" ||
        method === "Runtime.exceptionThrown" ||
        method === "Runtime.consoleAPICalled",
    );
    expect(complaints).toEqual([]);
  });

  test("does not run scripts in a report, and shows them as text", async () => {
    const evil = "</script><script>document.title='run'</script><img src=x onerror=\"document.title='run'\">";
    const fields = [{ field: evil, was: evil, is: "2" }];
    await show(
      htmlOf(
        reportOf([
          verdictOf(1, { verdict: "drifted", name: evil, fields }),
          verdictOf(2, { verdict: "missing", why: evil }),
        ]),
      ),
    );
    expect(await browser.value("document.title")).toBe("Drift: 1 missing, 1 drifted");
    expect(await browser.value("document.querySelector('td').textContent")).toBe(evil);
    expect(await browser.value("document.querySelector('pre').textContent")).toBe(evil);
    for (const report of fc.sample(reports, 20)) {
      await show(htmlOf(report));
      expect(await shown()).toHaveLength(report.resources.length);
      expect(browser.events.filter(({ method }) => method === "Runtime.exceptionThrown")).toEqual([]);
    }
  });

  test("follows the preferred color scheme, has a button to switch it, and has sufficient contrast", async () => {
    const luminance = (text: string) => {
      const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number).map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one: string, other: string) => {
      const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    const grounds: number[] = [];
    for (const scheme of ["light", "dark"]) {
      await browser.send("Emulation.setEmulatedMedia", {
        features: [{ name: "prefers-color-scheme", value: scheme }],
      });
      await show(htmlOf(everything));
      const ground = luminance(await color("body", "backgroundColor"));
      grounds.push(ground);
      for (const [text, on] of [
        ["h1", "body"],
        [".made", "body"],
        ["details.drifted .word", "details"],
        ["details.missing .word", "details"],
        ["details.unreadable .word", "details"],
        ["details.ignored .word", "details"],
        [".plain .word", ".plain"],
        [".id", "details"],
        ["td.was", "td.was"],
        ["td.is mark", "td.is mark"],
        ["td.was mark", "td.was mark"],
      ] as const)
        expect([
          text,
          contrast(await color(text, "color"), await color(on, "backgroundColor")) >= 4.5,
        ]).toEqual([text, true]);
      await browser.value("document.querySelector('.scheme').click()");
      expect(Math.abs(luminance(await color("body", "backgroundColor")) - ground)).toBeGreaterThan(0.5);
      await browser.value("document.querySelector('.scheme').click()");
      expect(luminance(await color("body", "backgroundColor"))).toBe(ground);
      const { QUARTERDECK_PICTURES: pictures } = process.env;
      if (pictures !== undefined)
        writeFileSync(join(pictures, `drift-${scheme}.png`), await browser.picture(1200, 1000));
    }
    expect(grounds[0]).toBeGreaterThan(0.8);
    expect(grounds[1]).toBeLessThan(0.1);
  });

  test("fits into a window of 400 pixels", async () => {
    await show(htmlOf(everything));
    const picture = await browser.picture(400, 800);
    if (process.env.QUARTERDECK_PICTURES)
      writeFileSync(join(process.env.QUARTERDECK_PICTURES, "drift-narrow.png"), picture);
    expect(await browser.value("document.documentElement.scrollWidth")).toBeLessThanOrEqual(400);
  });

  test("finds one of 10,000 resources", async () => {
    const many = Array.from({ length: 10_000 }, (_, number) => verdictOf(number));
    const page = htmlOf(reportOf([...many, verdictOf(10_000, { verdict: "missing", why: "gone" })]));
    await show(page);
    await find("app-9999");
    expect(await shown()).toEqual(["app-9999"]);
  });
});
