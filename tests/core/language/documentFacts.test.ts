import { z } from "zod";
import { collectDocumentFacts } from "../../../provider/core/language/documentFacts";
import { field } from "../../../provider/core/language/facts";
import {
  freeMap,
  many,
  mapOf,
  one,
  sharedObject,
  text,
  texts,
} from "../../../provider/core/language/members";
import { durationInSeconds } from "../../../provider/core/value/spelling";

const lock = sharedObject("Lock", {
  name: text("Its name."),
  code: field(z.string().optional(), { doc: "What opens it.", secret: true, wire: "TheCode" }),
  rest: field(z.string().optional(), { doc: "How long ships wait.", spelling: durationInSeconds }),
});
const canal = z.strictObject({
  locks: many(lock, "The locks.", ["Name"]),
  byName: mapOf(lock, "The locks again."),
  main: one(lock, "The main lock.", "MainLock"),
  ports: field(z.array(z.string()).optional(), { doc: "In any order.", unordered: true }),
  signs: texts("Signs."),
  notes: freeMap("Notes, by names of the user."),
});

test("documentFactsOf collects the facts of all members by their paths on the wire", () => {
  expect(collectDocumentFacts(canal, "pascal")).toEqual({
    keyedBy: { Locks: ["Name"] },
    blocks: ["MainLock"],
    entries: ["ByName.*"],
    freeEntries: ["Notes.*"],
    unordered: ["Ports"],
    spellings: {
      "Locks.*.Rest": durationInSeconds,
      "ByName.*.Rest": durationInSeconds,
      "MainLock.Rest": durationInSeconds,
    },
    secret: [
      "Locks.*.TheCode",
      "locks.*.code",
      "ByName.*.TheCode",
      "byName.*.code",
      "MainLock.TheCode",
      "main.code",
    ],
  });
});
