import type { Needed } from "../../provider/core/language/route";
import { lived, type Story } from "./rightsLived";

/** Lives a story with just the rights that it needs, and then as often as it needs one without it; how often that was. */
export async function expectJustEnough(token: string, story: Story): Promise<number> {
  let asserted = 0;
  const held = (await lived(story)).needed.flat();
  const whole = await lived(story, held);
  expect(whole.isFailed ? whole.told : []).toEqual([]);
  for (const [at, needed] of whole.needed.entries()) {
    for (const lacks of needed) {
      const { refused, told, isFailed, answers } = await lived(story, held, { at, lacks });
      const about = { at, lacks, told };
      // What is needed only where an entry leads on is often not needed.
      if (lacks.when !== undefined && refused === 200) continue;
      asserted += 1;
      // Whose token it is, this service calls a repository that is not there.
      if (lacks.anyOf[0] === "a user API token") {
        expect({ about, refused }).toEqual({ about, refused: 422 });
        continue;
      }
      if (story.isShownInPart) {
        expect(answers).toMatchObject([{ filteredByAcls: true }]);
        continue;
      }
      if (!isOfMembers(lacks))
        expect({ about, isRefused: refused === 403 || refused === 404 }).toEqual({ about, isRefused: true });
      if (isHiddenRead(token, whole.methods[at]) || (!isFailed && whole.repeated.has(at))) continue;
      // What we say of it, and not the service's own words.
      expect(
        told
          .join("\n")
          .split(/The token needs|this token may not/)
          .slice(1)
          .join(),
      ).toContain(lacks.anyOf[0]);
    }
  }
  return asserted;
}

/** A 404 of who may not look is taken for what it says, where the organization's list agrees: that is told then. */
const isHiddenRead = (token: string, method: string | undefined) =>
  token.startsWith("workspaces:") && method === "GET";

/** A list is never refused to a member: it only shows less. */
const isOfMembers = ({ anyOf }: Needed) => anyOf[0] === "membership";
