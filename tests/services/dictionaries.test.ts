import { crc32 } from "node:zlib";
import { publicOfText } from "../../provider/core/state/secretCopies";
import { mesh } from "../../provider/services/mesh/service";
import { scheduler } from "../../provider/services/scheduler/service";
import { secrets } from "../../provider/services/secrets/service";
import { workspaces } from "../../provider/services/workspaces/service";

/** What was published: states hold records that nobody reads without them. */
const PUBLISHED: readonly (readonly [string, number])[] = [
  ["workspaces 1", 3931145084],
  ["scheduler 1", 432594561],
  ["secrets 1", 891215240],
  ["mesh 1", 701530479],
];

test("the dictionaries with which records are packed are those that were published", () => {
  const all = [workspaces, scheduler, secrets, mesh].flatMap(({ name, dictionaries }) =>
    (dictionaries?.() ?? []).map((text, at) => [`${name} ${at + 1}`, crc32(text)] as const),
  );
  expect(all).toEqual(PUBLISHED);
});

test("a dictionary is JSON, short enough to leave room beside it, and nothing in it looks like a secret of somebody", () => {
  for (const { dictionaries } of [workspaces, scheduler, secrets, mesh]) {
    for (const text of dictionaries?.() ?? []) {
      expect(text.length).toBeLessThan(8_000);
      const values = [...publicOfText(text).values].map((pair) => pair.split("\n")[1] ?? "");
      expect(values.filter((value) => value.length > 32 || /^[0-9a-f]{8}-/.test(value))).toEqual([]);
    }
  }
});
