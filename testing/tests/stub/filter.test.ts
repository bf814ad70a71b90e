import fc from "fast-check";
import { fifth } from "../../../tests/rounds";
import { compileFilter, type Expression, FilterError, parseFilter, printFilter } from "../../stub/filter";

const JOB = {
  ID: "web",
  Name: "web app",
  Type: "service",
  Priority: 50,
  Ratio: 0.5,
  Offset: -3,
  Stop: false,
  Stable: true,
  Status: "",
  Quote: 'say "hi"',
  Path: "C:\\jobs",
  Lines: "a\nb",
  Datacenters: ["dc1", "dc2"],
  Numbers: [1, 2.5, -3],
  Flags: [true],
  Mixed: ["a", 1, true],
  Constraints: null,
  Nothing: [],
  Meta: { owner: "team-web", "a.b": "dotted", 'q"': "quoted", is: "word", "": "blank" },
  Env: null,
  Update: { Stagger: 30, MaxParallel: 1 },
  Periodic: null,
  TaskGroups: [{ Name: "app", Count: 2, Tasks: [{ Name: "server" }] }],
  not: "n",
  and: "a",
  or: "o",
  in: ["i"],
  is: "s",
  empty: "",
  contains: "c",
  matches: "m",
};

/** Expressions and whether the job matches them. */
const MATCHES: readonly (readonly [string, boolean])[] = [
  ['ID == "web"', true],
  ['ID == "db"', false],
  ['ID != "db"', true],
  ['ID != "web"', false],
  ["ID == `web`", true],
  ["ID == web", true],
  ["Type == service", true],
  ["Name == `web app`", true],
  ['ID=="web"', true],
  ['  ID  ==  "web"  ', true],
  ['\tID\n==\r"web"', true],
  ["Priority == 50", true],
  ['Priority == "50"', true],
  ["Priority != 50", false],
  ["Priority == 50.0", true],
  ["Ratio == 0.5", true],
  ["Offset == -3", true],
  ["Stop == false", true],
  ['Stop == "false"', true],
  ["Stop == 0", true],
  ["Stop == F", true],
  ["Stable == 1", true],
  ["Stable == t", true],
  ["Stable != TRUE", false],
  ['Quote == `say "hi"`', true],
  ["Path == `C:\\jobs`", true],
  ['Path == "C:\\\\jobs"', true],
  ['Lines == "a\\nb"', true],
  ['Lines == "a\\u000ab"', true],
  ['Lines == "a\\x0ab"', true],
  ["Lines == `a\nb`", true],
  ['"dc1" in Datacenters', true],
  ["dc1 in Datacenters", true],
  ['"dc3" in Datacenters', false],
  ['"dc3" not in Datacenters', true],
  ['Datacenters contains "dc2"', true],
  ["Datacenters contains dc2", true],
  ['Datacenters not contains "dc2"', false],
  ['Datacenters not contains "dc3"', true],
  ["1 in Numbers", true],
  ["2.5 in Numbers", true],
  ["-3 in Numbers", true],
  ["4 in Numbers", false],
  ['"x" in Numbers', false],
  ["true in Flags", true],
  ["false in Flags", false],
  ["1 in Mixed", true],
  ["a in Mixed", true],
  ['"web" in Name', true],
  ['Name contains "app"', true],
  ['Name not contains "db"', true],
  ["owner in Meta", true],
  ["Meta contains `a.b`", true],
  ["Meta not contains nobody", true],
  ["x in Constraints", false],
  ["x not in Constraints", true],
  ["Nothing is empty", true],
  ["Constraints is empty", true],
  ["Status is empty", true],
  ["Env is empty", true],
  ["ID is empty", false],
  ["ID is not empty", true],
  ["Datacenters is not empty", true],
  ["Meta is not empty", true],
  ["Meta is empty", false],
  ['ID matches "^w.b$"', true],
  ['ID matches "e"', true],
  ['ID matches "^e"', false],
  ['ID not matches "^e"', true],
  ["ID matches `(?i)WEB`", true],
  ["Name matches `\\bapp\\b`", true],
  ["Name matches `[[:space:]]`", true],
  ["Name matches `(?P<first>\\w+) app`", true],
  ["Meta.owner == `team-web`", true],
  ['Meta["owner"] == "team-web"', true],
  ['Meta["a.b"] == "dotted"', true],
  ['Meta[`q"`] == quoted', true],
  ['Meta[""] == blank', true],
  ["Meta.is == word", true],
  ["Meta.nobody == x", false],
  ["Meta.nobody != x", true],
  ["Meta.nobody is empty", true],
  ["Meta.nobody is not empty", false],
  ["x in Meta.nobody", false],
  ["x not in Meta.nobody", true],
  ["Meta.nobody matches `.`", false],
  ["Meta.nobody not matches `.`", true],
  ["Env.PATH == x", false],
  ["Update.MaxParallel == 1", true],
  ['Update["MaxParallel"] == 1', true],
  ['TaskGroups["0"].Name == app', true],
  ['TaskGroups["0"].Tasks["0"].Name == server', true],
  ["TaskGroups is not empty", true],
  ["not ID == db", true],
  ["not not ID == web", true],
  ["not(ID == db)", true],
  ["not (ID == web)", false],
  ["ID == web and Priority == 50", true],
  ["ID == web and Priority == 51", false],
  ["ID == db or Priority == 50", true],
  ["ID == db or Priority == 51", false],
  // `not` binds tighter than `and`, which binds tighter than `or`.
  ["ID == web or ID == web and ID == db", true],
  ["(ID == web or ID == web) and ID == db", false],
  ["not ID == db and ID == db", false],
  ["not (ID == db and ID == db)", true],
  ["not ID == web or ID == web", true],
  ["ID == db and ID == db or ID == web", true],
  ["ID == web and (ID == db or ID == web)", true],
  ["((ID == web))", true],
  ["( ID == web )", true],
  ["(ID == web)and(Priority == 50)", true],
  // No keyword is reserved.
  ["not == n", true],
  ["not not == n", false],
  ["and == a and or == o", true],
  ["i in in", true],
  ["is == s", true],
  ["is is not empty", true],
  ["empty is empty", true],
  ["contains contains c", true],
  ["matches matches m", true],
  ["not not in in", true],
];

describe("Evaluation of a filter", () => {
  test.each(MATCHES)("%s is %s", (expression, expected) => {
    expect(compileFilter(expression)(JOB)).toBe(expected);
  });
});

/** Expressions with a syntax error, and the position (from 0) of the error. */
const INVALID: readonly (readonly [string, number])[] = [
  ["", 0],
  ["   ", 3],
  ["ID", 2],
  ["ID ==", 5],
  ["== web", 0],
  ["ID = web", 3],
  ["ID === web", 5],
  ["ID =! web", 3],
  ["ID > 3", 3],
  ["ID <= 3", 3],
  ["ID && ID", 3],
  ["ID || ID", 3],
  ["! ID", 0],
  ["ID is", 5],
  ["ID is full", 6],
  ["ID is not", 9],
  ["ID is not full", 10],
  ["ID not", 6],
  ["ID not empty", 7],
  ["ID contains", 11],
  ["ID matches", 10],
  ["ID in", 5],
  ['"web" in', 8],
  ['"web" not in', 12],
  ['"web" not ID', 10],
  ['"web"', 5],
  ["42", 2],
  ['"web" == ID', 6],
  ["42 == Priority", 3],
  ['"web" matches ID', 6],
  ['"web" is empty', 6],
  ['"web" in "Name"', 9],
  ["42 in 43", 6],
  ['ID == "web', 6],
  ["ID == `web", 6],
  ["ID == 'web'", 6],
  ['ID == "web""', 11],
  ['ID == "a\\qb"', 8],
  ['ID == "say \\"hi\\""', 11],
  ['ID == "a\nb"', 8],
  ["ID == 007", 6],
  ["ID == 1.", 6],
  ["ID == .5", 6],
  ["ID == 1e3", 6],
  ["ID == +1", 6],
  ["ID == 1_000", 6],
  ["ID == --1", 6],
  ["ID == -", 6],
  ["ID == 12abc", 6],
  ["ID == 0x10", 6],
  ["_ID == web", 0],
  ["1ID == web", 0],
  ["Éa == web", 0],
  ["$ID == web", 0],
  ["@ID == web", 0],
  ["ID-x == web", 2],
  ["ID/x == web", 2],
  ["Update. == 1", 8],
  ["Update..Stagger == 1", 7],
  [".Update == 1", 0],
  ["Update.1 == 1", 7],
  ["Update._x == 1", 7],
  ["Meta[] == x", 5],
  ["Meta[owner] == x", 5],
  ["Meta[0] == x", 5],
  ['Meta["owner" == x', 13],
  ['Meta["owner"', 12],
  ["Meta[", 5],
  ['Meta["owner]', 5],
  ['Meta"owner" == x', 4],
  ['["owner"] == x', 0],
  ["(ID == web", 10],
  ["ID == web)", 9],
  ["((ID == web)", 12],
  ["(ID == web))", 11],
  ["()", 1],
  [")", 0],
  ["(", 1],
  ["(ID) == web", 3],
  ["ID == (web)", 6],
  ["ID == web and", 13],
  ["ID == web or", 12],
  ["and ID == web", 4],
  ["or ID == web", 3],
  ["ID == web and and ID == db", 18],
  ["ID == web or and ID == db", 17],
  ["ID == web ID == db", 10],
  ["ID == web, ID == db", 9],
  ["ID == web; ID == db", 9],
  ["ID == web AND ID == db", 10],
  ["NOT ID == web", 4],
  ["not", 3],
  ["not not", 7],
  ["not and not", 11],
  ["ID == web not ID == db", 10],
  ["ID == web xor ID == db", 10],
  ["ID IS EMPTY", 3],
  ["ID is  emptyish", 7],
  ["ID contain web", 3],
  ["any Datacenters as dc { dc == x }", 22],
  ["ID == {web}", 6],
  ["ID == [web]", 6],
  ["{ID == web}", 0],
  ["ID # web", 3],
  ["ID == web\\", 9],
  ["ID is nil", 6],
  ['ID == "web" in Name', 12],
  ["len(ID) == 3", 3],
  ["ID ! = web", 3],
  ["ID = = web", 3],
];

describe("Syntax errors of a filter", () => {
  test.each(INVALID)("%j is rejected at position %d", (expression, position) => {
    const error = rejectionOf(() => compileFilter(expression));
    expect(error.position).toBe(position);
    expect(error.message).toMatch(new RegExp(`^1:${position + 1}: \\S`));
  });

  test("an invalid regular expression is rejected at compile time, without a position", () => {
    const error = rejectionOf(() => compileFilter("ID matches `(`"));
    expect(error.position).toBeUndefined();
    expect(error.message).toMatch(/^failed to compile regular expression "\("/);
  });

  test("rejects look-around and back-references, which Go's regular expressions do not support", () => {
    expect(() => compileFilter("ID matches `a(?=b)`")).toThrow(FilterError);
    expect(() => compileFilter("ID matches `(a)\\1`")).toThrow(FilterError);
  });
});

describe("Type errors of a filter", () => {
  test.each([
    [
      "Nope == x",
      'error finding value in datum: /Nope at part 0: couldn\'t find key: struct field with name "Nope"',
    ],
    [
      "Update.Nope == x",
      'error finding value in datum: /Update/Nope at part 1: couldn\'t find key: struct field with name "Nope"',
    ],
    ["Periodic.Spec is empty", "error finding value in datum: /Periodic/Spec at part 1"],
    ["Meta.owner.first == x", "error finding value in datum: /Meta/owner/first at part 2"],
    ["Meta.nobody.first == x", "error finding value in datum: /Meta/nobody/first at part 1"],
    ["TaskGroups.Name == x", "error finding value in datum: /TaskGroups/Name at part 1"],
    ['TaskGroups["7"].Name == x', "error finding value in datum: /TaskGroups/7/Name at part 1"],
    ["toString is empty", "error finding value in datum: /toString at part 0"],
    [
      "Priority == high",
      'error getting match value in expression: strconv.ParseFloat: parsing "high": invalid syntax',
    ],
    ['Priority == ""', "error getting match value in expression: strconv.ParseFloat"],
    [
      "Stop == no",
      'error getting match value in expression: strconv.ParseBool: parsing "no": invalid syntax',
    ],
    ["Datacenters == dc1", "unable to find suitable primitive comparison function for matching"],
    ["Meta == x", "unable to find suitable primitive comparison function for matching"],
    ["Constraints == x", "unable to find suitable primitive comparison function for matching"],
    ["5 in Priority", 'cannot perform in/contains operations on type int for selector: "Priority"'],
    ["Stop contains x", 'cannot perform in/contains operations on type bool for selector: "Stop"'],
    ["x in TaskGroups", 'unable to find suitable primitive comparison function for "in" comparison'],
    ["Priority is empty", 'cannot perform is-empty operations on type int for selector: "Priority"'],
    ["Stop is not empty", 'cannot perform is-empty operations on type bool for selector: "Stop"'],
    ["Priority matches `5`", "value of type int is not convertible to []byte"],
    ["Datacenters matches `5`", "value of type slice is not convertible to []byte"],
    ["Periodic matches `5`", "value of type invalid is not convertible to []byte"],
    ["Update matches `5`", "value of type struct is not convertible to []byte"],
  ])("%s fails with: %s", (expression, message) => {
    const filter = compileFilter(expression);
    expect(rejectionOf(() => filter(JOB)).message).toContain(message);
  });

  test("does not evaluate the second operand if the first one decides `and` or `or`", () => {
    expect(compileFilter("ID == web or Nope == x")(JOB)).toBe(true);
    expect(compileFilter("ID == db and Nope == x")(JOB)).toBe(false);
  });

  test("an unknown key is allowed only in the fields that are declared as maps", () => {
    expect(compileFilter("Update.Nope == x", new Set(["Update"]))(JOB)).toBe(false);
    expect(() => compileFilter("Meta.nobody == x", new Set())(JOB)).toThrow(FilterError);
  });

  test("a compiled filter can be applied to several items", () => {
    const filter = compileFilter("ID matches `^a`");
    expect([{ ID: "a1" }, { ID: "b1" }, { ID: "a2" }].map(filter)).toEqual([true, false, true]);
  });
});

function rejectionOf(act: () => unknown): FilterError {
  try {
    act();
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
  throw new Error("nothing was rejected");
}

const KEYWORDS = ["not", "and", "or", "in", "is", "empty", "contains", "matches"];

/** The first part of a selector; a keyword at this position could be parsed as an operator. */
const first = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,6}$/).filter((name) => !KEYWORDS.includes(name));

const name = fc.oneof(first, fc.constantFrom(...KEYWORDS));

/** Any string; `printFilter` quotes it with double quotes or with backquotes. */
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
  test("a printed expression parses to the same expression", () => {
    fc.assert(
      fc.property(expression, (given) => {
        expect(parseFilter(printFilter(given))).toEqual(given);
      }),
      { numRuns: fifth(500) },
    );
  });

  test("a printed expression in parentheses parses to the same expression with any white space around it", () => {
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

  test("any sequence of tokens compiles, or fails with a position inside the text", () => {
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
