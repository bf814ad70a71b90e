import type { PropertyMap } from "../../state/values";
import { type Diff, NO_DIFF } from "./diff";
import type { Checked, RecordedState } from "./protocol";
import type { AnyProvider } from "./provider";

const UNAVAILABLE =
  "The provider for this resource has inputs that are not known during preview.\n" +
  "This preview may not correctly represent the changes that will be applied during an update.";

/** The substitute in a preview for a provider with unknown settings; it contacts no provider. */
export class UnknownProvider implements AnyProvider {
  async check(_urn: string, _olds: PropertyMap, news: PropertyMap): Promise<Checked> {
    return { inputs: news, failures: [] };
  }

  async diff(): Promise<Diff> {
    return { ...NO_DIFF, changes: "some", doubt: UNAVAILABLE };
  }

  async create(_urn: string, inputs: PropertyMap) {
    return { id: "", outputs: inputs, refreshBeforeUpdate: false };
  }

  async update(_urn: string, _id: string, _old: RecordedState, news: PropertyMap) {
    return { outputs: news, refreshBeforeUpdate: false };
  }

  async read(_urn: string, id: string) {
    return { id, outputs: {}, inputs: {}, refreshBeforeUpdate: false };
  }

  async delete(): Promise<void> {}

  async invoke(): Promise<Checked> {
    return { inputs: {}, failures: [] };
  }
}
