import { appendFileSync } from "node:fs";

/** Counts what the laws do, and hands it to whoever runs them where that is asked for. */
export class Counted {
  private times = 0;

  constructor(private readonly what: "steps" | "commands") {
    afterAll(() => {
      const path = process.env.QUARTERDECK_COUNTED;
      if (path !== undefined) appendFileSync(path, `${JSON.stringify([this.what, this.times])}\n`);
    });
  }

  add(times = 1): void {
    this.times += times;
  }
}
