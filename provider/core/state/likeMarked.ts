import { KEY, ONLY_THERE, type Path, parsePath } from "../value/path";

/*
 * A program's marks count the elements of its own lists. What others put into such a list has no number there: a place in
 * it is secret where the same place is marked in any element of the program's.
 */

/**
 * Whether a place in an element that only others have is like one that the program marked, or like what is above or in one.
 * @param path as the program would write it; the element is there by its key
 */
export function isLikeMarked(marks: readonly string[], path: Path): boolean {
  return path.some(isKey) && marks.some((mark) => isLike(parsePath(mark), path));
}

/** Whether the key of such an element, with which the path ends, tells what is marked in others: no deeper than in the element itself. */
export function isKeyLikeMarked(marks: readonly string[], path: Path): boolean {
  if (!isKey(path.at(-1))) return false;
  return marks.map(parsePath).some((mark) => mark.length <= path.length + 1 && isLike(mark, path));
}

function isLike(mark: Path, path: Path): boolean {
  return mark
    .slice(0, path.length)
    .every(
      (segment, index) => segment === path[index] || (typeof segment === "number" && isElement(path[index])),
    );
}

function isElement(segment: string | number | undefined): boolean {
  return typeof segment === "number" || isKey(segment) || segment?.startsWith(ONLY_THERE) === true;
}

function isKey(segment: string | number | undefined): boolean {
  return typeof segment === "string" && segment.startsWith(KEY);
}
