import { answers } from "./in-process";
import { HTTP_WEB, Scene, TRUE } from "./mesh-scene";

/** Writes an invalid entry, checks that nothing is stored, and returns the error message. */
export async function rejectionMessage(entry: object, switches: object = {}): Promise<string> {
  const scene = new Scene({ reconciles: false, ...switches }, HTTP_WEB);
  const before = scene.service.dump();
  const { status, headers, body } = await scene.put(entry);
  expect(status).toBe(500);
  expect(headers["content-type"]).toMatch(/^text\/plain/);
  expect(scene.service.dump()).toEqual(before);
  return body;
}

/** Defines a test for each row of a table: the entry is rejected with exactly the message that is its key. */
export function testRejections<T extends object>(
  what: string,
  entry: (row: T) => object,
  table: Record<string, T>,
): void {
  test.each(Object.entries(table))(`rejects ${what}: %s`, async (text, row) => {
    expect(await rejectionMessage(entry(row))).toBe(text);
  });
}

/** As `testRejections`, but the message only contains the key. */
export function testRejectionsContaining<T extends object>(
  what: string,
  entry: (row: T) => object,
  table: Record<string, T>,
): void {
  test.each(Object.entries(table))(`rejects ${what}: %s`, async (text, row) => {
    expect(await rejectionMessage(entry(row))).toContain(text);
  });
}

/** Writes an entry and expects that it is stored. */
export async function expectAccepted(entry: object): Promise<void> {
  const scene = new Scene({}, HTTP_WEB);
  await answers(scene.put(entry), 200, TRUE);
}
