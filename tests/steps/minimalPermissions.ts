import type { Needed } from "../../provider/core/language/route";
import { runStory, type Story } from "./permissionStories";

/** Runs a story with exactly the permissions that it needs, and once without each permission. Returns the number of assertions. */
export async function expectMinimalPermissions(token: string, story: Story): Promise<number> {
  let asserted = 0;
  const held = (await runStory(story)).needed.flat();
  const complete = await runStory(story, held);
  expect(complete.isFailed ? complete.messages : []).toEqual([]);
  for (const [at, needed] of complete.needed.entries()) {
    for (const lacks of needed) {
      const { refused, messages, isFailed, answers } = await runStory(story, held, { at, lacks });
      const about = { at, lacks, messages };
      // A permission that is needed only for entries with references is often not needed.
      if (lacks.when !== undefined && refused === 200) continue;
      asserted += 1;
      // For a token of the wrong type, this service reports that the repository does not exist.
      if (lacks.anyOf[0] === "a user API token") {
        expect({ about, refused }).toEqual({ about, refused: 422 });
        continue;
      }
      if (story.isShownInPart) {
        expect(answers).toMatchObject([{ filteredByAcls: true }]);
        continue;
      }
      if (!isOfMembers(lacks))
        // Consul reports the errors of a transaction with 409.
        expect({ about, isRefused: [403, 404, 409].includes(refused ?? 0) }).toEqual({
          about,
          isRefused: true,
        });
      if (isHiddenRead(token, complete.methods[at]) || (!isFailed && complete.repeated.has(at))) continue;
      // Our own part of the message, and not the service's.
      expect(
        messages
          .join("\n")
          .split(/The token needs|this token may not/)
          .slice(1)
          .join(),
      ).toContain(lacks.anyOf[0]);
    }
  }
  return asserted;
}

/** A 404 for a missing read permission counts as a deletion if the organization's list confirms it, with a message. */
const isHiddenRead = (token: string, method: string | undefined) =>
  token.startsWith("workspaces:") && method === "GET";

/** A list request of a member is never rejected: the list only contains less. */
const isOfMembers = ({ anyOf }: Needed) => anyOf[0] === "membership";
