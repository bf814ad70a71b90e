import { KNOWN_DIFFERENCES } from "./knownDifferences";
import { givenServer } from "./servers/server";

type Body = (...args: unknown[]) => Promise<void> | void;

const originalTest = global.test;

function isKnown(): boolean {
  const program = givenServer()?.program;
  const { currentTestName = "" } = expect.getState();
  return KNOWN_DIFFERENCES.some(
    (known) => known.program === program && currentTestName.includes(known.testName),
  );
}

/**
 * Runs a test that is known to fail on a real server, and expects it to fail. An entry that is no longer true is an
 * error.
 */
function failingIfKnown(body: Body): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    if (!isKnown()) return body(...args);
    let passed = false;
    try {
      await body(...args);
      passed = true;
    } catch {
      // A known difference.
    }
    if (passed) throw new Error("this test passes now: remove it from tests/real/knownDifferences.ts");
  };
}

global.test = new Proxy(originalTest, {
  apply: (target, _, [name, body, timeout]: [string, Body, number?]) =>
    target(name, failingIfKnown(body), timeout),
  get(target, property) {
    const own: unknown = Reflect.get(target, property);
    if (property !== "each") return own;
    return (...table: unknown[]) => {
      // The result of jest's `each`.
      const each = (own as (...table: unknown[]) => (name: string, body: Body, timeout?: number) => void)(
        ...table,
      );
      return (name: string, body: Body, timeout?: number) => each(name, failingIfKnown(body), timeout);
    };
  },
});
