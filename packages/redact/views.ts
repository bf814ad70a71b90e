import { joined, unescaped } from "./escapes";
import { decodings, type Shortest } from "./runs";
import { type TextView, viewOf } from "./view";

/** How deep escapes are undone within one another, of whatever kinds: JSON four deep, and two more around it. */
const DEEPEST_ESCAPES = 8;
/** How deep base64 and hexadecimal are undone within one another; what unfolds further is not shown. */
const DEEPEST_RUNS = 3;

/** All that a text says. */
export interface TextViews {
  /** The text itself first, then with one layer of escapes undone after the other. */
  readonly plain: readonly TextView[];
  /** Everything else: forms, and what runs of base64 and hexadecimal say, with their own escapes undone. */
  readonly decoded: readonly TextView[];
  /** What was not decoded to its end, because it is nested too deep or grows too long. */
  readonly undecoded: readonly TextView[];
}

/** A view that is still to be decoded further. */
interface Layer {
  readonly view: TextView;
  readonly escapes: number;
  readonly runs: number;
  readonly isForm: boolean;
  readonly isJoined: boolean;
}

const FIRST = { escapes: 0, runs: 0, isForm: false, isJoined: false };

/**
 * Reads a text in every way in which a secret may be spelled in it, one layer after the other, so that every mixture
 * is read. All views together are no longer than a few times the text.
 */
export function viewsOf(text: string, shortest: Shortest): TextViews {
  const plain: TextView[] = [];
  const decoded: TextView[] = [];
  const undecoded: TextView[] = [];
  const layers: Layer[] = [{ ...FIRST, view: viewOf(text) }];
  let left = 24 * text.length + 4096;
  for (let next = 0; next < layers.length; next += 1) {
    const layer = layers[next];
    if (layer === undefined) break;
    left -= layer.view.length;
    if (left < 0 || layer.runs > DEEPEST_RUNS) undecoded.push(layer.view);
    else {
      (layer.runs === 0 && !layer.isForm ? plain : decoded).push(layer.view);
      layers.push(...below(layer, shortest));
    }
  }
  return { plain, decoded, undecoded };
}

function below(layer: Layer, shortest: Shortest): Layer[] {
  const { view, escapes, runs, isForm, isJoined } = layer;
  const layers: Layer[] = [];
  const push = (next: TextView | undefined, change: Partial<Layer>) => {
    if (next !== undefined && next.length > 0) layers.push({ ...layer, ...change, view: next });
  };
  const next = escapes < DEEPEST_ESCAPES ? unescaped(view) : undefined;
  push(next, { escapes: escapes + 1 });
  // A plus is a blank only in the layer that a form made: where it spells a plus otherwise, or nothing is left to undo.
  if (!isForm && view.codes.includes(PLUS) && (next === undefined || spellsPlus(view))) {
    push(unescaped(view, true), { escapes: escapes + 1, isForm: true });
  }
  if (!isJoined) push(joined(view), { isJoined: true });
  for (const run of decodings(view, shortest)) push(run, { ...FIRST, runs: runs + 1 });
  return layers;
}

/** A secret as it is, and with one layer of its own escapes undone after the other: it may be quoted read further. */
export function* viewsOfSecret(secret: string): Generator<TextView> {
  let view: TextView | undefined = viewOf(secret);
  for (let depth = 0; view !== undefined && depth <= DEEPEST_ESCAPES; depth += 1) {
    yield view;
    view = unescaped(view);
  }
}

function spellsPlus({ codes, length }: TextView): boolean {
  for (let at = 0; at + 2 < length; at += 1) {
    if (codes[at] === PERCENT && codes[at + 1] === TWO && ((codes[at + 2] ?? 0) | 0x20) === SMALL_B)
      return true;
  }
  return false;
}

const [PLUS, PERCENT, TWO, SMALL_B] = [0x2b, 0x25, 0x32, 0x62];
