import { answers } from "./in-process";
import { HTTP_WEB, Scene, TRUE } from "./mesh-scene";

/** What the service says to an entry that breaks a rule within itself; it stores nothing then. */
export async function refusal(entry: object, switches: object = {}): Promise<string> {
  const scene = new Scene({ reconciles: false, ...switches }, HTTP_WEB);
  const before = scene.service.dump();
  const { status, headers, body } = await scene.put(entry);
  expect(status).toBe(500);
  expect(headers["content-type"]).toMatch(/^text\/plain/);
  expect(scene.service.dump()).toEqual(before);
  return body;
}

/** Expects a refusal of each entry of a table, with the text that is its key. */
export function refuses<T extends object>(
  what: string,
  entry: (row: T) => object,
  table: Record<string, T>,
): void {
  test.each(Object.entries(table))(`${what} is refused: %s`, async (text, row) => {
    expect(await refusal(entry(row))).toBe(text);
  });
}

/** As `refuses`, where the text is one of several in the answer. */
export function refusesAmong<T extends object>(
  what: string,
  entry: (row: T) => object,
  table: Record<string, T>,
): void {
  test.each(Object.entries(table))(`${what} is refused: %s`, async (text, row) => {
    expect(await refusal(entry(row))).toContain(text);
  });
}

export async function accepts(entry: object): Promise<void> {
  const scene = new Scene({}, HTTP_WEB);
  await answers(scene.put(entry), 200, TRUE);
}
