/** An object of a service that is in no state looked at. */
export interface FoundObject {
  /** `scheduler:Job`. */
  readonly type: string;
  /** The id by which it is read and imported. */
  readonly id: string;
  /** What people call it; empty where the service's list does not say it. */
  readonly name: string;
}

/** One that no program manages. */
export interface ApartObject extends FoundObject {
  readonly why: string;
}

/** What was not listed, and why. */
export interface Unlisted {
  /** A type, `scheduler:Job`, or a service, `mesh`. */
  readonly of: string;
  readonly why: string;
}

/** What exists on the services, beside what a state has. */
export interface ListReport {
  /** When it was asked, in ISO 8601. */
  readonly at: string;
  readonly found: readonly FoundObject[];
  /** What the services make or hold themselves, or for another namespace: it is never imported. */
  readonly apart: readonly ApartObject[];
  /** How many of what was listed the state has. */
  readonly known: number;
  /** Services without settings; they were not asked. */
  readonly unconfigured: readonly Unlisted[];
  /** What the services do not have: an engine that is not mounted. */
  readonly absent: readonly Unlisted[];
  /** What should have been listed and could not be. */
  readonly unread: readonly Unlisted[];
  /** Types that no service lists. */
  readonly unlistable: readonly Unlisted[];
  /** What the services had to say of their lists: that something was left out. */
  readonly notes: readonly string[];
}

/** The status of a process that made this report: 3 where something could not be listed. */
export const exitCodeOf = ({ unread }: ListReport): number => (unread.length > 0 ? 3 : 0);
