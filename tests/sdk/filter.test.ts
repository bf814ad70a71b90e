import fc from "fast-check";
import { and, type Expression, not, or, selector } from "../../sdk/filter";
import { compileFilter, parseFilter, printFilter } from "../../testing/stub/filter";

describe("filter", () => {
  test.each([
    [selector("Type").equals("service"), 'Type == "service"'],
    [selector("Priority").notEquals(50), "Priority != 50"],
    [selector("Meta", "owner team").isNotEmpty(), 'Meta["owner team"] is not empty'],
    [selector("TaskGroups", "web", "Count").isEmpty(), "TaskGroups.web.Count is empty"],
    [selector("Datacenters").contains("dc1"), 'Datacenters contains "dc1"'],
    [selector("Datacenters").notContains("dc1"), 'Datacenters not contains "dc1"'],
    [selector("Datacenters").has("dc1"), '"dc1" in Datacenters'],
    [selector("Datacenters").hasNot("dc1"), '"dc1" not in Datacenters'],
    [selector("Name").matches("^web-\\d+$"), 'Name matches "^web-\\\\d+$"'],
    [selector("Name").notMatches('a"b'), 'Name not matches `a"b`'],
    [selector("Stop").equals(false), 'Stop == "false"'],
    [selector("Priority").equals(1e30), 'Priority == "1e+30"'],
  ])("has the syntax of the services: %s", (expression, text) => {
    expect(String(expression)).toBe(text);
    expect(() => parseFilter(text)).not.toThrow();
  });

  test("has parentheses only where operator precedence requires them", () => {
    const [a, b, c] = ["A", "B", "C"].map((name) => selector(name).isEmpty()) as [
      Expression,
      Expression,
      Expression,
    ];
    expect(String(and(a, or(b, c)))).toBe("A is empty and (B is empty or C is empty)");
    expect(String(or(and(a, b), c))).toBe("A is empty and B is empty or C is empty");
    expect(String(not(and(a, b)))).toBe("not (A is empty and B is empty)");
    expect(String(and(not(a), b))).toBe("not A is empty and B is empty");
    expect(String(and(a))).toBe("A is empty");
  });

  test("rejects a selector with an invalid member name", () => {
    expect(() => selector("owner team")).toThrow('"owner team" is no name of a member');
  });

  test("matches exactly the given value, for any characters", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('"', "`", "\\", "\n", "\r", "\t", " ", "a", "é", "\u0000") }),
    );
    fc.assert(
      fc.property(texts, texts, (value, other) => {
        const matches = compileFilter(String(selector("Meta", "key").equals(value)));
        expect(matches({ Meta: { key: value } })).toBe(true);
        expect(matches({ Meta: { key: other } })).toBe(other === value);
      }),
      { numRuns: 500 },
    );
  });

  test("evaluates to the value of its expression tree, at any depth", () => {
    const leaf = fc
      .record({ name: fc.constantFrom("A", "B", "C"), value: fc.constantFrom("x", "y") })
      .map(({ name, value }) => ({
        expression: selector(name).equals(value),
        holds: (datum: Record<string, string>) => datum[name] === value,
      }));
    type Node = { expression: Expression; holds(datum: Record<string, string>): boolean };
    const { node } = fc.letrec<{ node: Node }>((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        leaf,
        tie("node").map(({ expression, holds }) => ({
          expression: not(expression),
          holds: (datum: Record<string, string>) => !holds(datum),
        })),
        fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map(([first, ...rest]) => ({
          expression: and((first as Node).expression, ...rest.map(({ expression }) => expression)),
          holds: (datum: Record<string, string>) =>
            [first as Node, ...rest].every(({ holds }) => holds(datum)),
        })),
        fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map(([first, ...rest]) => ({
          expression: or((first as Node).expression, ...rest.map(({ expression }) => expression)),
          holds: (datum: Record<string, string>) =>
            [first as Node, ...rest].some(({ holds }) => holds(datum)),
        })),
      ),
    }));
    const data = fc.record({
      A: fc.constantFrom("x", "y"),
      B: fc.constantFrom("x", "y"),
      C: fc.constantFrom("x", "y"),
    });
    fc.assert(
      fc.property(node, data, ({ expression, holds }, datum) => {
        const text = String(expression);
        expect(compileFilter(text)(datum)).toBe(holds(datum));
        expect(compileFilter(printFilter(parseFilter(text)))(datum)).toBe(holds(datum));
      }),
      { numRuns: 500 },
    );
  });
});
