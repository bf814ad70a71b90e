import type { ResourceState } from "../../state/resource";

/** One physical resource on its way through a deployment: its state is replaced, its identity stays. */
export class Entry {
  constructor(public state: ResourceState) {}
}
