import fc from "fast-check";
import { fifth } from "../../../tests/rounds";
import { compileFilter, type Expression, FilterError, parseFilter, printFilter } from "../../stub/filter";

const WORDS = ["not", "and", "or", "in", "is", "empty", "contains", "matches"];

/** A word of the grammar at the beginning of a selector can be read otherwise than it was meant. */
const first = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,6}$/).filter((name) => !WORDS.includes(name));

const name = fc.oneof(first, fc.constantFrom(...WORDS));

/** Any text that can be written at all: raw or escaped, so not with both kinds of quotes and an escape. */
const text = fc.string({ unit: "binary", maxLength: 8 });

const selector = fc
  .tuple(first, fc.array(fc.oneof(name, text), { maxLength: 3 }))
  .map(([head, rest]): [string, ...string[]] => [head, ...rest]);

const value = fc.oneof(
  text.map((inside) => ({ kind: "string" as const, text: inside })),
  fc.integer().map((number) => ({ kind: "number" as const, text: String(number) })),
  fc.tuple(fc.nat(999), fc.nat(999)).map(([a, b]) => ({ kind: "number" as const, text: `${a}.${b}` })),
  fc
    .tuple(first, fc.array(name, { maxLength: 2 }))
    .map(([head, rest]) => ({ kind: "selector" as const, text: [head, ...rest].join(".") })),
);

const match: fc.Arbitrary<Expression> = fc.oneof(
  fc.record({
    kind: fc.constant("compare" as const),
    operator: fc.constantFrom(
      "==",
      "!=",
      "in",
      "not in",
      "contains",
      "not contains",
      "matches",
      "not matches",
    ),
    selector,
    value,
  }),
  fc.record({ kind: fc.constant("empty" as const), negated: fc.boolean(), selector }),
);

const expression: fc.Arbitrary<Expression> = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    match,
    fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      left: tie("expression"),
      right: tie("expression"),
    }),
    fc.record({ kind: fc.constant("not" as const), operand: tie("expression") }),
  ),
})).expression;

describe("Printing a filter", () => {
  test("what is printed parses back as the same expression", () => {
    fc.assert(
      fc.property(expression, (given) => {
        expect(parseFilter(printFilter(given))).toEqual(given);
      }),
      { numRuns: fifth(500) },
    );
  });

  test("what parses is printed so that it parses back, whatever the spaces", () => {
    fc.assert(
      fc.property(expression, fc.constantFrom(" ", "  ", "\n", "\t"), (given, space) => {
        const printed = printFilter(given);
        expect(parseFilter(`${space}(${space}${printed}${space})${space}`)).toEqual(given);
      }),
    );
  });

  test.each([
    ["(A == 1) and (B == 2)", "A == 1 and B == 2"],
    ["(A == 1 or B == 2) and C == 3", "(A == 1 or B == 2) and C == 3"],
    ["A == 1 or (B == 2 and C == 3)", "A == 1 or B == 2 and C == 3"],
    ["(A == 1 and B == 2) and C == 3", "(A == 1 and B == 2) and C == 3"],
    ["not (A is empty)", "not A is empty"],
    ["not (A is empty or B is empty)", "not (A is empty or B is empty)"],
    ['A["b"]["c d"] == `x`', 'A.b["c d"] == "x"'],
    ['A == `say "hi"`', 'A == `say "hi"`'],
    ["`x` not in A", '"x" not in A'],
  ])("%s is printed as %s", (written, printed) => {
    expect(printFilter(parseFilter(written))).toBe(printed);
  });

  test("any text either is a filter or is refused as none, at a place within it", () => {
    const pieces = fc.constantFrom(
      "ID",
      "==",
      "!=",
      "(",
      ")",
      "[",
      "]",
      ".",
      '"a"',
      "`b`",
      "1",
      "not",
      "in",
      "is",
      "empty",
      "and",
      "or",
      " ",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (words) => {
        const written = words.join(" ");
        try {
          compileFilter(written);
        } catch (error) {
          if (!(error instanceof FilterError)) throw error;
          expect(error.position).toBeGreaterThanOrEqual(0);
          expect(error.position).toBeLessThanOrEqual(written.length);
        }
      }),
      { numRuns: fifth(1000) },
    );
  });
});
