/** An object on a server that is not in the state. */
export interface UnmanagedObject {
  /** For example `scheduler:Job`. */
  readonly type: string;
  /** The ID for reads and imports. */
  readonly id: string;
  /** The object's display name; empty if the server's list does not contain it. */
  readonly name: string;
}

/** An object that no program manages. */
export interface ApartObject extends UnmanagedObject {
  readonly why: string;
}

/** A type or service that was not listed, and why. */
export interface Unlisted {
  /** A type, `scheduler:Job`, or a service, `mesh`. */
  readonly of: string;
  readonly why: string;
}

/** The objects on the servers that are not in the state. */
export interface ListReport {
  /** The time of the list, in ISO 8601. */
  readonly at: string;
  readonly found: readonly UnmanagedObject[];
  /**
   * Objects that the servers create themselves, store internally, or store for a different namespace; they are never
   * imported.
   */
  readonly apart: readonly ApartObject[];
  /** The number of listed objects that are in the state. */
  readonly known: number;
  /** Services without settings; they were not listed. */
  readonly unconfigured: readonly Unlisted[];
  /** Missing parts of a server, such as an engine that is not mounted. */
  readonly absent: readonly Unlisted[];
  /** Types that could not be listed because of an error. */
  readonly unread: readonly Unlisted[];
  /** Types without a list on any server. */
  readonly unlistable: readonly Unlisted[];
  /** Notes of the servers on their lists, for example that a list is incomplete. */
  readonly notes: readonly string[];
}

/** The exit code for a report: 3 if anything could not be listed. */
export const listExitCode = ({ unread }: ListReport): number => (unread.length > 0 ? 3 : 0);
