import fc from "fast-check";
import { askedWait, backoff, FIRST_STEP, LONGEST_STEP } from "../../../provider/core/http/retry";

const now = Date.UTC(2026, 0, 1, 12);
const requestedWait = (headers: Record<string, string>, status = 429) => askedWait({ status, headers }, now);

describe("wait between attempts", () => {
  test("is between half of a step and the full step, which doubles up to a maximum", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (n, random) => {
          const step = Math.min(FIRST_STEP * 2 ** (n - 1), LONGEST_STEP);
          const wait = backoff(n, random);
          expect(wait).toBeGreaterThanOrEqual(step / 2);
          expect(wait).toBeLessThanOrEqual(step);
        },
      ),
    );
  });

  test.each([
    [{ "retry-after": "3" }, 3000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "Thu, 01 Jan 2026 12:00:07 GMT" }, 7000],
    [{ "retry-after": "Thu, 01 Jan 2026 11:00:00 GMT" }, 0],
    [{ "x-ratelimit-reset": "0.41" }, 410],
    [{ "x-ratelimit-reset": String(now / 1000 + 5) }, 5000],
    [{ "retry-after": "1", "x-ratelimit-reset": "2.5" }, 2500],
    [{ "retry-after": "soon", "x-ratelimit-reset": "1" }, 1000],
  ])("with the headers %j is %d ms", (headers, wait) => {
    expect(requestedWait({ ...headers } as Record<string, string>)).toBe(wait);
  });

  test.each([{}, { "retry-after": "soon" }, { "retry-after": "-1" }, { "x-ratelimit-reset": "NaN" }])(
    "is not set by the headers %j",
    (headers) => {
      expect(requestedWait({ ...headers } as Record<string, string>)).toBeUndefined();
    },
  );

  test("depends on X-RateLimit-Reset only for status 429, and on Retry-After for every status", () => {
    expect(requestedWait({ "x-ratelimit-reset": "9" }, 503)).toBeUndefined();
    expect(requestedWait({ "x-ratelimit-reset": "9", "retry-after": "2" }, 503)).toBe(2000);
  });
});
