import type { Resource } from "../../steps/resource";
import { CERTAIN_MOMENTS, type Moment } from "./failover";
import type { Part } from "./parts";
import type { Meeting } from "./storyClient";

/** A command during a failover, and its expected result. */
export interface Story {
  readonly moments: readonly Moment[];
  readonly meeting: Meeting;
  /** Whether the object of the first program exists before the command. */
  readonly exists: boolean;
  /**
   * When another user edits the object: before the command, or on the next active server before the command receives
   * its error.
   */
  readonly editedAt?: "before" | "meanwhile";
  /** Whether the story needs an object that users can delete. */
  readonly needsDeletion?: true;
  command(resource: Resource, part: Part): Promise<unknown>;
  /** The program after the story; undefined if the object is deleted. */
  finalProgram(part: Part): Part["first"] | undefined;
}

const create = (resource: Resource, { first }: Part) =>
  resource.id === "" ? resource.create(first) : resource.up(first);
const update = (resource: Resource, { second }: Part) => resource.up(second);
const remove = (resource: Resource) => resource.delete();
const refresh = async (resource: Resource) => {
  if (!(await resource.refresh())) throw new Error("the refresh reported it as deleted");
};

const ALL = ["before", "in flight", "answered"] as const;
const first = ({ first }: Part) => first;
const second = ({ second }: Part) => second;

export const STORIES: Readonly<Record<string, Story>> = {
  "a create": { moments: ALL, meeting: "the write", exists: false, command: create, finalProgram: first },
  "an update": { moments: ALL, meeting: "the write", exists: true, command: update, finalProgram: second },
  "a delete": {
    ...{ moments: ALL, meeting: "the write", exists: true, needsDeletion: true },
    ...{ command: remove, finalProgram: () => undefined },
  },
  "a refresh": {
    moments: CERTAIN_MOMENTS,
    meeting: "the first request",
    exists: true,
    command: refresh,
    finalProgram: first,
  },
  "an update after another user's edit": {
    ...{ moments: CERTAIN_MOMENTS, meeting: "the first request", exists: true, editedAt: "before" },
    ...{ command: update, finalProgram: second },
  },
  "an update and a concurrent edit on the next active server": {
    ...{ moments: CERTAIN_MOMENTS, meeting: "the write", exists: true, editedAt: "meanwhile" },
    ...{ command: update, finalProgram: second },
  },
  "a delete and a concurrent edit on the next active server": {
    // An object that is already deleted cannot be edited.
    ...{
      moments: ["before"],
      meeting: "the write",
      exists: true,
      editedAt: "meanwhile",
      needsDeletion: true,
    },
    ...{ command: remove, finalProgram: () => undefined },
  },
};
