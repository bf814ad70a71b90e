/** What a service warns of, and what it says that it did not take. */

const WARNINGS = ["tests/steps/warnings.test"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const warnings = [
  {
    what: "what a service warns of is told",
    find: '        log("warning", text);\n      }\n      return answer;',
    replace: "      }\n      return answer;",
    tests: WARNINGS,
    only: "is logged",
  },
  {
    what: "what a service warns of is told once a step",
    find: "        if (told.has(text)) continue;\n",
    replace: "",
    tests: WARNINGS,
    only: "once per step",
  },
  {
    what: "what a service warns of is told without secrets",
    find: "const text = redactor.mask(mask(",
    replace: "const text = String((",
    tests: WARNINGS,
    only: "without the program's secrets",
  },
  {
    what: "what is read for a function is told of once",
    find: '{ ...objectContextOf(definition, "read", context), connection, label, deadline },',
    replace: '{ ...objectContextOf(definition, "read", context), label, deadline },',
    tests: WARNINGS,
    only: "function",
  },
  {
    what: "what an object's service reports that it ignored is not on record as written",
    find: "if (answer && isAnswer(answer)) assertNothingIgnored(context, work, records, { answer, read: observation });",
    replace: "",
    tests: WARNINGS,
    only: "ignored",
  },
  {
    what: "what an object holds all the same was not ignored",
    find: "(name) => lacking.has(name) || isWrittenUnseen(definition, work.inputs, name),",
    replace: "() => true,",
    tests: WARNINGS,
    only: "stores it anyway",
  },
  {
    what: "a service's word that it ignored what it never shows counts",
    find: "(name) => lacking.has(name) || isWrittenUnseen(definition, work.inputs, name),",
    replace: "(name) => lacking.has(name),",
    tests: WARNINGS,
    only: "CloudRoot",
  },
  {
    what: "of what is only written, what the service reports that it ignored is not on record as written",
    find: "const written = selected(inputs, (name) => !notTaken.includes(name));",
    replace: "const written = inputs;",
    tests: WARNINGS,
    only: "never returns",
  },
  {
    what: "a write whose answer holds nothing but warnings was carried out",
    find: '  if (said === "nothing" && isSuccess(answer) && service.warnsOnly?.(answer)) return;\n',
    replace: "",
    tests: [...WARNINGS, "tests/services/secrets/queueConnection"],
  },
  {
    what: "a single request whose service ignored a part of it is open",
    find: "    if (!sending.seesToNotTaken) assertNothingIgnored(context, asked, answer);\n",
    replace: "",
    tests: ["tests/services/secrets/libraryCheckOut"],
    only: "ignored",
  },
  {
    what: "what the path says anyway was replaced by itself",
    find: "  const others = replaced.filter((name) => !isInPath(request, sentAs(request, name)));",
    replace: "  const others = replaced;",
    tests: WARNINGS,
    only: "value from the path is not logged",
  },
];
