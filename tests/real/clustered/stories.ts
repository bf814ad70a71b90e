import type { Resource } from "../../steps/resource";
import type { Part } from "./cast";
import { type Moment, SURE } from "./fall";
import type { Meeting } from "./way";

/** A command of a program whose active server ends, and what must have come of it in the end. */
export interface Story {
  readonly moments: readonly Moment[];
  readonly meeting: Meeting;
  /** Whether the object is there before, as the first program has it. */
  readonly isMade: boolean;
  /** When somebody edits it: before the command, or by the next server, before the command hears of the end. */
  readonly edited?: "before" | "meanwhile";
  /** Whether it can be told of objects that nobody can delete. */
  readonly needsDeletion?: true;
  command(resource: Resource, part: Part): Promise<unknown>;
  /** The program that stands after it; none where the object is gone. */
  end(part: Part): Part["first"] | undefined;
}

const create = (resource: Resource, { first }: Part) =>
  resource.id === "" ? resource.create(first) : resource.up(first);
const update = (resource: Resource, { second }: Part) => resource.up(second);
const remove = (resource: Resource) => resource.delete();
const refresh = async (resource: Resource) => {
  if (!(await resource.refresh())) throw new Error("it was called gone");
};

const ALL = ["before", "under way", "answered"] as const;
const first = ({ first }: Part) => first;
const second = ({ second }: Part) => second;

export const STORIES: Readonly<Record<string, Story>> = {
  "a create": { moments: ALL, meeting: "the write", isMade: false, command: create, end: first },
  "an update": { moments: ALL, meeting: "the write", isMade: true, command: update, end: second },
  "a delete": {
    ...{ moments: ALL, meeting: "the write", isMade: true, needsDeletion: true },
    ...{ command: remove, end: () => undefined },
  },
  "a refresh": { moments: SURE, meeting: "the first request", isMade: true, command: refresh, end: first },
  "an update after somebody's edit": {
    ...{ moments: SURE, meeting: "the first request", isMade: true, edited: "before" },
    ...{ command: update, end: second },
  },
  "an update beside somebody's edit by the next server": {
    ...{ moments: SURE, meeting: "the write", isMade: true, edited: "meanwhile" },
    ...{ command: update, end: second },
  },
  "a delete beside somebody's edit by the next server": {
    // What is deleted by then cannot be edited.
    ...{ moments: ["before"], meeting: "the write", isMade: true, edited: "meanwhile", needsDeletion: true },
    ...{ command: remove, end: () => undefined },
  },
};
