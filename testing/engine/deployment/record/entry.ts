import type { ResourceState } from "../../state/resource";

/** One physical resource during a deployment: its state may be replaced, its identity stays. */
export class Entry {
  constructor(public state: ResourceState) {}
}
