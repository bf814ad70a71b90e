import type { Host } from "../../../provider/core/bridge/call";
import { Going, noticeText } from "../../../provider/core/bridge/notices";
import { CommandWrites } from "../../../provider/core/language/commandWrites";
import { PlaceMemory } from "../../../provider/core/language/placeMemory";
import type { Connection } from "../../../provider/core/language/service";
import { sourceReader } from "../../../provider/core/requests/secretSources";
import { BoundedCache } from "../../../provider/core/value/memo";
import type { ParsedText } from "../../../provider/core/value/programInputs";

/** A provider with a single connection and no shared reads; its messages are added to `lines`. */
export function hostOf(connection: () => Connection, lines: string[] = []): Host {
  return {
    connection,
    adoptsIdentical: false,
    readings: new BoundedCache<ParsedText>(1_000_000),
    unavailableScopes: new Set(),
    going: new Going(),
    places: new PlaceMemory(),
    writes: new CommandWrites(Date.now),
    secretAt: sourceReader(process.env, () => process.cwd()),
    shared: () => ({ kept: (_, make) => make() }),
    tell: (notice) => lines.push(noticeText(notice)),
  };
}
