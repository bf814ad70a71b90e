import { everythingSaid, runsOf } from "../redact/readable";
import { SPELLINGS } from "../redact/spellings";
import { type Holder, holders, SECRETS } from "./canaryHolders";
import { Resource } from "./resource";

const cases = holders.flatMap((holder) =>
  Object.entries(SECRETS)
    .filter(([, secret]) => holder.only === undefined || holder.only === secret)
    .map(([name, secret]) => [holder.definition.token, name, holder, secret] as const),
);

describe.each(cases)("the secret of a %s, %s", (_, __, holder, secret) => {
  test("stands in nothing that is said, whatever of it a service quotes in answer to whichever request", async () => {
    const sent = await story(holder, secret, () => undefined);
    const said: string[] = [];
    const quotes = quotesOf(secret);
    let next = 0;
    for (let index = 0; index < sent.requests; index++) {
      for (const status of secret.length > 10_000 ? [400] : [400, 404, 500, 503]) {
        const quote = quotes[next++ % quotes.length] ?? "";
        const text = next % 2 === 0 ? JSON.stringify({ errors: [quote] }) : quote;
        said.push(
          ...(await story(holder, secret, (at) => (at === index ? { status, text } : undefined))).said,
        );
      }
    }
    const text = said.join("\n");
    expect(text).toContain("[secret]");
    expect(runsOf(secret, text)).toEqual([]);
  }, 120_000);
});

/** Creates, updates, reads and deletes; at which request the service answers otherwise, and what. */
async function story(
  holder: Holder,
  secret: string,
  otherwise: (index: number) => { status: number; text: string } | undefined,
): Promise<{ requests: number; said: string[] }> {
  const world = await holder.world();
  world.requests.length = 0;
  const resource = new Resource(world, holder.definition);
  const [first, second] = holder.programs(secret);
  const said: string[] = [];
  const tried = async (step: () => Promise<unknown>) => {
    try {
      await step();
    } catch (error) {
      said.push(everythingSaid(error));
    }
  };
  world.fate = () => {
    const answer = otherwise(world.requests.length - 1);
    return answer === undefined ? "passes" : { answer, isCarriedOut: false };
  };
  await tried(() => resource.create(first));
  if (resource.id !== "") {
    await tried(() => resource.up(second));
    await tried(() => resource.refresh());
    await tried(() => resource.delete());
  }
  const paths = world.requests.map(({ method, path }) => `${method} ${path}`);
  return { requests: world.requests.length, said: [...said, ...world.logged, ...paths] };
}

/** The whole, a part cut at both ends, and one that crosses where messages are cut, each in every spelling. */
function quotesOf(secret: string): string[] {
  const middle = Math.floor(secret.length / 2);
  const parts = [secret, secret.slice(Math.max(0, middle - 300), middle + 20), secret.slice(0, 300)];
  const before = ["", "bad value: ", `${"x ".repeat(240)}: `];
  return Object.values(SPELLINGS).flatMap((spell, at) => {
    const part = parts[at % parts.length] ?? "";
    return [`${before[at % before.length]}${spell(part)} is refused`];
  });
}
