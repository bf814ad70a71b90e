import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { SourcePosition, StackTrace } from "@pulumi/pulumi/proto/source_pb";
import type { Position } from "./goal";

/** A source position as in the state: relative to the project, `project:///index.ts#3,7`. */
export function readPosition(
  root: string,
  position: SourcePosition | undefined,
  trace: StackTrace | undefined,
): Position {
  const sourcePosition = place(root, position);
  const stackTrace = trace?.getFramesList().map((frame) => {
    const framePosition = place(root, frame.getPc());
    return framePosition === undefined ? {} : { sourcePosition: framePosition };
  });
  return {
    ...(sourcePosition !== undefined && { sourcePosition }),
    ...(stackTrace?.length && { stackTrace }),
  };
}

function place(root: string, position: SourcePosition | undefined): string | undefined {
  if (!position?.getUri().startsWith("file://")) return undefined;
  const path = relative(root, fileURLToPath(position.getUri())).replaceAll("\\", "/");
  const column = position.getColumn() > 0 ? `,${position.getColumn()}` : "";
  return `project:///${path}#${position.getLine()}${column}`;
}
