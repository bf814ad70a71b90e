import { everythingPrinted, runsOf } from "../redact/readable";
import { SPELLINGS } from "../redact/spellings";
import { type Holder, holders, SECRETS } from "./canaryHolders";
import { Resource } from "./resource";

const cases = holders.flatMap((holder) =>
  Object.entries(SECRETS)
    .filter(([, secret]) => holder.only === undefined || holder.only === secret)
    .map(([name, secret]) => [holder.definition.token, name, holder, secret] as const),
);

describe.each(cases)("the secret of a %s (%s)", (_, __, holder, secret) => {
  test("appears in no error, log line or path if the service quotes it in a response to any request", async () => {
    const sent = await story(holder, secret, () => undefined);
    const messages: string[] = [];
    const quotes = quotesOf(secret);
    let next = 0;
    for (let index = 0; index < sent.requests; index++) {
      for (const status of secret.length > 10_000 ? [400] : [400, 404, 500, 503]) {
        const quote = quotes[next++ % quotes.length] ?? "";
        const text = next % 2 === 0 ? JSON.stringify({ errors: [quote] }) : quote;
        messages.push(
          ...(await story(holder, secret, (at) => (at === index ? { status, text } : undefined))).messages,
        );
      }
    }
    const text = messages.join("\n");
    expect(text).toContain("[secret]");
    expect(runsOf(secret, text)).toEqual([]);
  }, 120_000);
});

/** Creates, updates, refreshes and deletes the resource; `otherwise` gives the response to a request by its number. */
async function story(
  holder: Holder,
  secret: string,
  otherwise: (index: number) => { status: number; text: string } | undefined,
): Promise<{ requests: number; messages: string[] }> {
  const world = await holder.world();
  world.requests.length = 0;
  const resource = new Resource(world, holder.definition);
  const [first, second] = holder.programs(secret);
  const messages: string[] = [];
  const tried = async (step: () => Promise<unknown>) => {
    try {
      await step();
    } catch (error) {
      messages.push(everythingPrinted(error));
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
  return { requests: world.requests.length, messages: [...messages, ...world.logged, ...paths] };
}

/** The complete secret, a part of it, and a part that crosses the length limit of messages, in every encoding. */
function quotesOf(secret: string): string[] {
  const middle = Math.floor(secret.length / 2);
  const parts = [secret, secret.slice(Math.max(0, middle - 300), middle + 20), secret.slice(0, 300)];
  const before = ["", "bad value: ", `${"x ".repeat(240)}: `];
  return Object.values(SPELLINGS).flatMap((spell, at) => {
    const part = parts[at % parts.length] ?? "";
    return [`${before[at % before.length]}${spell(part)} is refused`];
  });
}
