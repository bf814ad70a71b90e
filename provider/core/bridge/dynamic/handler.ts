import type { Bag } from "../engineValues";

/**
 * The interface that the dynamic provider host calls. The host's own types require classes of the SDK, which this file does not load.
 */
export interface DynamicHandler {
  configure(request: { config: { get(key: string): string | undefined } }): void;
  check(olds: Bag, news: Bag): Promise<{ inputs: Bag; failures: { property: string; reason: string }[] }>;
  diff(
    id: string,
    olds: Bag,
    news: Bag,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: Bag): Promise<{ id: string; outs: Bag }>;
  read(id: string, props: Bag): Promise<{ id: string; props?: Bag; inputs?: Bag }>;
  update(id: string, olds: Bag, news: Bag): Promise<{ outs: Bag }>;
  delete(id: string, props: Bag): Promise<void>;
}
